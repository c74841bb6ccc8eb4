import { ProblemError, type PutUserContext, type routes } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import { CLOCK, DATABASE, IDS, randomBytes, type Redactor } from '@annals/runtime';
import {
  type Database,
  decideProposal,
  editUserContext,
  findProposal,
  getUserContext,
  listProposals,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf, tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { versionConflict } from '../http/expected-version.js';
import { etagOf } from '../http/headers.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

/** The user context and its proposals; they are set and decided by a person on the caller's settings page. */
@Injectable()
export class ContextService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async get({ params, caller }: Call<typeof routes.getUserContext>) {
    const { user_id: userId } = params;
    const context = await this.database.readTenant(tenantOf(caller), (tx) => getUserContext(tx, userId));
    return { ...ok(context), headers: etagOf(context) };
  }

  async listProposals({ params, query, caller }: Call<typeof routes.listProposals>) {
    const { user_id: userId } = params;
    const now = this.clock.now();
    return this.database.readTenant(tenantOf(caller), (tx) => listProposals(tx, userId, query, now));
  }

  async put(call: Call<typeof routes.putUserContext>) {
    const { params, body, caller, redactor, expectedRevision } = call;
    const { user_id: userId } = params;
    const edit = redactEdit(body, redactor);
    return this.writes.run(call, async (tx) => {
      const command = { userId, actor: actorOf(caller), edit, expectedRevision };
      const edited = await editUserContext(tx, command, this.dependencies);
      if (edited.outcome === 'conflict') throw versionConflict(edited.revision, { inHeader: true });
      return { userId, answer: { ...ok(edited.context), headers: etagOf(edited.context) } };
    });
  }

  async decide(call: Call<typeof routes.acceptProposal | typeof routes.rejectProposal>, answer: 'accept' | 'reject') {
    const { params, caller } = call;
    return this.writes.run(call, async (tx) => {
      const proposal = await findProposal(tx, params.id, this.clock.now());
      const { userId: boundTo } = caller.bindings;
      if (!proposal || (boundTo !== null && proposal.user_id !== boundTo)) {
        throw new ProblemError('not_found', 'There is no proposal with this id.');
      }
      const userId = proposal.user_id;
      const command = { userId, proposalId: params.id, answer, actor: actorOf(caller) };
      const decided = await decideProposal(tx, command, this.dependencies);
      if (decided.outcome === 'not_pending') throw notPending(decided.state);
      return { userId, answer: ok({ proposal: decided.proposal, context: decided.context }) };
    });
  }

  private get dependencies() {
    const { clock, ids } = this;
    return { clock, ids, randomBytes };
  }
}

/** Names and places stay (docs/reference/privacy.md#queries-and-manual-memories-are-redacted). */
function redactEdit({ goals, ...fields }: PutUserContext, redactor: Redactor): PutUserContext {
  const redacted = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? redactor.redact(value) : value,
  ]);
  return { ...Object.fromEntries(redacted), ...(goals ? { goals: goals.map((goal) => redactor.redact(goal)) } : {}) };
}

function notPending(state: string): ProblemError {
  return new ProblemError(
    'proposal_not_pending',
    `The proposal is already ${state}. If the person wants the value, set it with PUT /v1/users/{user_id}/context.`,
  );
}
