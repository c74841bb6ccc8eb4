import {
  type ConversationAccepted,
  type FieldError,
  type MessageInput,
  type PostConversation,
  type routes,
} from '@annals/contracts';
import { type Clock, type IdGenerator, type Pause, type PiiCounts, runInSlices } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import { currentTraceparent, type Logger, type Metrics } from '@annals/observability';
import { CLOCK, CONFIG, IDS, LOGGER, METRICS, PAUSE, RELAY } from '@annals/runtime';
import { acceptMessages, type AcceptMessagesInput, type AcceptMessagesResult } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import type { Answer, Call } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { IdempotentWrites, type WriteResult } from '../idempotency/idempotent-writes.js';
import { DryRuns } from './dry-runs.js';
import { explainConflict } from './explain-conflict.js';
import { listRedactions } from './list-redactions.js';
import { MessageKeys } from './message-keys.js';
import { type RedactionContext, redactMessages } from './redact-messages.js';

/** Callers' clocks may be off by a time zone, so up to 24 hours in the future is accepted. */
const FUTURE_TOLERANCE_MS = 24 * 60 * 60 * 1_000;

/** Accepts messages. Only their redacted form is stored (docs/reference/privacy.md#redaction-before-storage). */
@Injectable()
export class ConversationIngestion {
  constructor(
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(MessageKeys) private readonly keys: MessageKeys,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(PAUSE) private readonly pause: Pause,
    @Inject(DryRuns) private readonly dryRuns: DryRuns,
  ) {}

  /** Stores the new messages with their batches and work rows in one transaction, then wakes the relay. */
  async accept(call: Call<typeof routes.postConversation>) {
    const startedMs = performance.now();
    const { body, caller, redactor } = call;
    const { user_id: userId } = body;
    const { agentId } = call.access;
    const now = this.clock.now();
    checkMessageTimes(body.messages, now);
    const { input, counts } = await this.redact(body, {
      tenantId: tenantOf(caller),
      redaction: redactor.options,
      userId,
      agentId,
      now,
    });
    if (call.query.dry_run) return this.dryRuns.run(call, input, counts);
    const answer = await this.writes.runTogether(
      call,
      userId,
      async (tx): Promise<WriteResult<ConversationAccepted>> => {
        const outcome = await acceptMessages(tx, input, this.ids).catch(explainConflict);
        const afterCommit = () => this.recordAcceptance(call, outcome, counts);
        return { answer: describeAcceptance(outcome, counts), userId, afterCommit };
      },
    );
    this.metrics.observe('memory_llm_accept_duration_ms', performance.now() - startedMs);
    return answer;
  }

  private async redact(
    body: PostConversation,
    {
      userId,
      agentId,
      ...context
    }: Pick<RedactionContext, 'tenantId' | 'redaction' | 'now'> & { userId: string; agentId: string | undefined },
  ): Promise<{ input: AcceptMessagesInput; counts: PiiCounts }> {
    const { now } = context;
    const work = redactMessages(body.messages, {
      ...context,
      secret: this.keys.secret,
      acceptedSecrets: this.keys.acceptedSecrets,
    });
    const { messages, counts } = await runInSlices(work, this.pause);
    const input = {
      userId,
      threadId: body.thread_id ?? null,
      agentId: agentId ?? null,
      runId: body.run_id ?? null,
      appId: body.app_id ?? null,
      kind: body.kind ?? null,
      messages,
      end: body.end,
      flush: body.flush,
      priority: body.priority,
      now,
      windowMs: this.config.batching.windowMs,
      maxMessages: this.config.batching.maxMessages,
      trace: currentTraceparent() ?? null,
    };
    return { input, counts };
  }

  private recordAcceptance({ caller }: Call, outcome: AcceptMessagesResult, counts: PiiCounts): void {
    if (outcome.batchIds.length > 0) this.relay.kick();
    this.metrics.add('memory_llm_messages_accepted_total', outcome.accepted);
    this.metrics.add('memory_llm_turns_accepted_total', outcome.acceptedTurns);
    if (outcome.joinsApps) this.metrics.inc('memory_llm_app_conversations_total');
    this.metrics.add('memory_llm_messages_duplicate_total', outcome.duplicates);
    for (const [type, count] of Object.entries(counts)) {
      if (count > 0) this.metrics.add('memory_llm_redactions_total', count, { type });
    }
    if (!this.logger.isEnabled('debug')) return;
    for (const batchId of outcome.batchIds) {
      this.logger.debug('batch_accepted', { tenantId: tenantOf(caller), batchId, messages: outcome.accepted });
    }
  }
}

/** Throws `validation_failed` for messages with a time more than 24 hours after `now` (epoch ms). */
function checkMessageTimes(messages: readonly MessageInput[], now: number): void {
  const latest = now + FUTURE_TOLERANCE_MS;
  const errors = messages.flatMap(({ created_at }, index): FieldError[] =>
    created_at !== undefined && Date.parse(created_at) > latest
      ? [{ path: `body.messages[${index}].created_at`, message: 'Send a time that is not in the future.' }]
      : [],
  );
  if (errors.length > 0) throw invalidFields(errors);
}

function describeAcceptance(outcome: AcceptMessagesResult, counts: PiiCounts): Answer<ConversationAccepted> {
  const [first] = outcome.batchIds;
  const body: ConversationAccepted = {
    conversation_id: outcome.conversationId,
    thread_id: outcome.threadId,
    batch_ids: [...outcome.batchIds],
    accepted: outcome.accepted,
    duplicates: outcome.duplicates,
    redactions: listRedactions(counts),
  };
  if (first === undefined) return { status: 200, body };
  const statusUrl = `/v1/batches/${first}`;
  return { status: 202, body: { ...body, status_url: statusUrl }, headers: { location: statusUrl } };
}
