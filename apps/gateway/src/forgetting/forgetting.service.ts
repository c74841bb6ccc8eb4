import { type MemoriesForgotten, type MessageForgotten, ProblemError, type routes } from '@annals/contracts';
import { type Clock, type ForgetRequest, type IdGenerator, readForgetRequest } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER, METRICS, randomBytes, type Redactor, RELAY } from '@annals/runtime';
import {
  type Database,
  findMessage,
  forgetMessage,
  forgetSubject,
  type ForgetSubjectResult,
  previewForgetting,
  type WriteDependencies,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf, hasScope, type Principal, tenantOf } from '../auth/principal.js';
import { findOwnConversation } from '../conversations/conversations.service.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { type PlannedResult, renderForgetting } from './render-forgetting.js';

/** Forgets what people name, or one message, for good (docs/reference/forgetting.md). */
@Injectable()
export class ForgettingService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  async forgetMemories(call: Call<typeof routes.forgetMemories>) {
    const { body, caller, redactor } = call;
    const { user_id: userId } = body;
    const request = readRequest(body.text, redactor);
    const asked = { userId, request, expectedDigest: body.plan ?? null };
    if (body.dry_run) {
      const result = await this.database.readTenant(tenantOf(caller), (tx) => previewForgetting(tx, asked));
      return ok<MemoriesForgotten>(renderForgetting(request.kind, expectPlan(result, caller)));
    }
    const answer = await this.writes.run(call, async (tx) => {
      const command = { ...asked, actor: actorOf(caller) };
      const result = expectPlan(await forgetSubject(tx, command, this.dependencies), caller);
      const rendered = renderForgetting(request.kind, result);
      return {
        userId,
        answer: ok<MemoriesForgotten>(rendered),
        afterCommit: () => this.logForgotten(caller, rendered),
      };
    });
    this.relay.kick();
    return answer;
  }

  async forgetMessage(call: Call<typeof routes.forgetMessage>) {
    const { params, caller } = call;
    const answer = await this.writes.run(call, async (tx) => {
      const { user_id: userId } = await findOwnConversation(tx, params.id, caller, { limit: 1 });
      const messageId = await findMessage(tx, params.id, params.message_id);
      const command = messageId === null ? null : { messageId, actor: actorOf(caller) };
      const forgotten = command && (await forgetMessage(tx, command, this.dependencies));
      if (!forgotten) throw new ProblemError('not_found', 'There is no message with this id in the conversation.');
      const body: MessageForgotten = {
        conversation_id: params.id,
        message_id: forgotten.messageId,
        memories_deleted: [...forgotten.memoriesDeleted],
        memories_kept: [...forgotten.memoriesKept],
      };
      const afterCommit = () => {
        this.metrics.inc('memory_llm_erasures_total', { kind: 'message' });
        this.logger.info('message_forgotten', {
          tenantId: tenantOf(caller),
          conversationId: params.id,
          memoriesDeleted: body.memories_deleted.length,
          byKeyId: caller.keyId,
        });
      };
      return { userId, answer: ok(body), afterCommit };
    });
    this.relay.kick();
    return answer;
  }

  private logForgotten(caller: Principal, { counts }: MemoriesForgotten): void {
    const { memories, insights, turns } = counts;
    if (memories + insights + turns === 0) return;
    this.metrics.inc('memory_llm_erasures_total', { kind: 'subject' });
    this.logger.info('memories_forgotten', {
      tenantId: tenantOf(caller),
      memories: memories + insights,
      turns,
      byKeyId: caller.keyId,
    });
  }

  private get dependencies(): WriteDependencies {
    const { clock, ids } = this;
    return { clock, ids, randomBytes };
  }
}

function readRequest(text: string, redactor: Redactor): ForgetRequest {
  const request = readForgetRequest(redactor.redact(text));
  if (request) return request;
  throw new ProblemError('validation_failed', 'Correct body.text: it names nothing that could be found.', {
    errors: [{ path: 'body.text', message: 'Name what to forget: a statement, a person or thing, or a number.' }],
  });
}

function expectPlan(result: ForgetSubjectResult, caller: Principal): PlannedResult {
  switch (result.outcome) {
    case 'ambiguous':
      throw new ProblemError(
        'ambiguous_subject',
        'More than one subject fits: send one of the texts in `candidates`, or a text that fits one alone.',
        { candidates: mayRead(caller) ? result.candidates : [] },
      );
    case 'plan_changed':
      throw new ProblemError(
        'plan_changed',
        'What would be forgotten has changed since the dry run: make another one and send its `plan`.',
      );
    default:
      return result;
  }
}

const mayRead = (caller: Principal) => hasScope(caller, 'query') || hasScope(caller, 'admin');
