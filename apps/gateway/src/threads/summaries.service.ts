import { ProblemError, type routes, type Summary, type SummaryRestored, type ThreadSummaries } from '@annals/contracts';
import { type Clock, type IdGenerator, measureCompression, removeHidden } from '@annals/domain';
import { CLOCK, DATABASE, IDS, randomBytes } from '@annals/runtime';
import {
  type Database,
  findSummarizedThread,
  lockConversation,
  type ReadSummary,
  readSummaries,
  restoreEvictedTurns,
  restoreSummary,
  type SummarizedThread,
  type SummaryRestoration,
  type Tx,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf, type Bindings, tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { renderSummary } from './render-summary.js';

/** Why there is no summary, and what to do. */
const NO_SUMMARY =
  'The thread has no summary of this level yet. One is made after the conversation ends (POST /v1/conversations/{id}/end), is idle for five minutes, or has grown by 1,000 tokens; below 100 tokens there is none, and below 3,000 only one of level L3.';

const REFUSED: Record<Exclude<SummaryRestoration['outcome'], 'restored' | 'unknown'>, string> = {
  live: 'body.summary_id is the present summary: restore one that was replaced, as ?tombstones=true lists them.',
  messages_deleted:
    'A message that body.summary_id covers was deleted since: restore the memory first, or another summary.',
};

/** Stored summaries of threads. None is made by a request. */
@Injectable()
export class SummariesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async read({ params, query, caller, access }: Call<typeof routes.getThreadSummary>): Promise<ThreadSummaries> {
    const { userId } = access;
    if (userId === undefined) throw invalidFields([{ path: 'query.user_id', message: 'Send the user of the thread.' }]);
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      const thread = await findOwnThread(tx, userId, params.thread_id, caller.bindings);
      const summaries = await readSummaries(tx, thread.conversationId, {
        tier: query.level === 'all' ? null : query.level,
        withTombstones: query.tombstones,
        limit: query.limit,
      });
      if (summaries.length === 0) throw new ProblemError('not_found', NO_SUMMARY);
      return {
        user_id: userId,
        thread_id: params.thread_id,
        conversation_id: thread.conversationId,
        last_seq: thread.messageCount - 1,
        summaries: summaries.map(toBody),
      };
    });
  }

  async restore(call: Call<typeof routes.restoreSummary>) {
    const { summary_id: id } = call.body;
    return this.change(call, async (tx, { conversationId }) => {
      const restored = await restoreSummary(tx, conversationId, { id, now: this.clock.now() });
      if (restored.outcome === 'unknown')
        throw new ProblemError('not_found', 'The thread has no summary with this id.');
      if (restored.outcome !== 'restored') {
        const message = REFUSED[restored.outcome];
        throw new ProblemError('summary_not_restorable', message, { errors: [{ path: 'body.summary_id', message }] });
      }
      const body: SummaryRestored = { conversation_id: conversationId, summary_id: id, replaced: restored.replaced };
      return body;
    });
  }

  async restoreTurns(call: Call<typeof routes.restoreTurns>) {
    const dependencies = { clock: this.clock, ids: this.ids, randomBytes };
    return this.change(call, async (tx, { conversationId }, userId) => {
      const actor = actorOf(call.caller);
      const restored = await restoreEvictedTurns(tx, { userId, conversationId, actor }, dependencies);
      return { conversation_id: conversationId, restored };
    });
  }

  private async change<Body>(
    call: Call<typeof routes.restoreSummary | typeof routes.restoreTurns>,
    change: (tx: Tx, thread: SummarizedThread, userId: string) => Promise<Body>,
  ) {
    const { params, caller, access } = call;
    const { userId } = access;
    if (userId === undefined) throw invalidFields([{ path: 'body.user_id', message: 'Send the user of the thread.' }]);
    return this.writes.run(call, async (tx) => {
      const thread = await findOwnThread(tx, userId, params.thread_id, caller.bindings);
      if (!(await lockConversation(tx, userId, thread.conversationId))) throw noThread();
      return { userId, answer: ok(await change(tx, thread, userId)) };
    });
  }
}

/** The thread, if the caller's key may read its conversation: an agent those that it began. */
async function findOwnThread(
  tx: Tx,
  userId: string,
  threadId: string,
  { agentId }: Bindings,
): Promise<SummarizedThread> {
  const thread = await findSummarizedThread(tx, userId, threadId);
  if (!thread || (agentId !== null && thread.agentId !== agentId)) throw noThread();
  return thread;
}

function noThread(): ProblemError {
  return new ProblemError('not_found', 'The user has no thread with this id.');
}

function toBody(summary: ReadSummary): Summary {
  const { tier, level, coveredTokens, tokens } = summary;
  const compression = measureCompression({ tier, level, coveredTokens }, tokens);
  return {
    id: summary.id,
    level: tier,
    position: summary.position,
    depth: level as Summary['depth'],
    kind: summary.kind,
    state: summary.tombstonedAt === null ? 'live' : 'tombstoned',
    text: renderSummary(summary),
    sentences: summary.sentences.map(({ text, messageIds }) => ({
      text: removeHidden(text),
      message_ids: [...messageIds],
    })),
    from_seq: summary.fromSeq,
    as_of_seq: summary.toSeq,
    provider: summary.provider,
    model: summary.model,
    compression: {
      covered_tokens: compression.coveredTokens,
      summary_tokens: compression.summaryTokens,
      ratio: compression.ratio,
      target_ratio: compression.targetRatio,
      meets_target: compression.meetsTarget,
    },
    created_at: summary.createdAt,
    replaced_by: summary.replacedBy,
    tombstoned_at: summary.tombstonedAt,
  };
}
