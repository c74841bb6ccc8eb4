import {
  ProblemError,
  type ProposalDecided,
  type PutUserContext,
  type routes,
  type UserContext,
} from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import { CLOCK, CONFIG, IDS, randomBytes } from '@annals/runtime';
import { decideProposal, editUserContext, findProposal } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { bindUser } from '../auth/check-bindings.js';
import type { GatewayConfig } from '../config.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { versionConflict } from '../http/expected-version.js';
import { etagOf } from '../http/if-match.js';
import { redactUserText } from '../http/redact-user-text.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { checkContextCategory, proposalNotFound, refuseAgents } from './bind-context.js';

/** Sets the user context, and accepts or rejects proposals, as a person decides on the caller's settings page. */
@Injectable()
export class ContextWrites {
  constructor(
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async put(call: Call<typeof routes.putUserContext>): Promise<Answer<UserContext>> {
    const { params, body, caller, expectedRevision } = call;
    refuseAgents(caller);
    checkContextCategory(this.catalog, caller);
    const userId = bindUser(caller.bindings, params.user_id, 'params.user_id');
    const edit = this.redact(body);
    return this.writes.run(call, async (tx) => {
      const command = { userId, actor: `key:${caller.keyId}`, edit, expectedRevision };
      const edited = await editUserContext(tx, command, this.dependencies());
      if (edited.outcome === 'conflict') throw versionConflict(edited.revision, { inHeader: true });
      return { userId, answer: { ...ok(edited.context), headers: etagOf(edited.context) } };
    });
  }

  async decide(
    call: Call<typeof routes.acceptProposal | typeof routes.rejectProposal>,
    answer: 'accept' | 'reject',
  ): Promise<Answer<ProposalDecided>> {
    const { params, caller } = call;
    refuseAgents(caller);
    checkContextCategory(this.catalog, caller);
    return this.writes.run(call, async (tx) => {
      const proposal = await findProposal(tx, params.id, this.clock.now());
      const { userId: boundTo } = caller.bindings;
      if (!proposal || (boundTo !== null && proposal.user_id !== boundTo)) throw proposalNotFound();
      const userId = proposal.user_id;
      const command = { userId, proposalId: params.id, answer, actor: `key:${caller.keyId}` };
      const decided = await decideProposal(tx, command, this.dependencies());
      if (decided.outcome === 'not_pending') throw notPending(decided.state);
      return { userId, answer: ok({ proposal: decided.proposal, context: decided.context }) };
    });
  }

  /**
   * Names and places stay; e-mail addresses, numbers and secrets are redacted
   * (docs/reference/privacy.md#queries-and-manual-memories-are-redacted).
   */
  private redact({ goals, ...fields }: PutUserContext): PutUserContext {
    const redacted = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? redactUserText(value, this.config) : value,
    ]);
    return {
      ...Object.fromEntries(redacted),
      ...(goals ? { goals: goals.map((goal) => redactUserText(goal, this.config)) } : {}),
    };
  }

  private dependencies() {
    const { clock, ids } = this;
    return { clock, ids, randomBytes };
  }
}

function notPending(state: string): ProblemError {
  return new ProblemError(
    'proposal_not_pending',
    `The proposal is already ${state}. If the person wants the value, set it with PUT /v1/users/{user_id}/context.`,
  );
}
