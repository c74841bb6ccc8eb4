import { ProblemError, routes } from '@annals/contracts';
import { type Clock, makeStorable, startDeadline } from '@annals/domain';
import type { TokenCounter } from '@annals/llm-core';
import { type Logger, type Metrics, withSpan } from '@annals/observability';
import { CLOCK, CONFIG, LOGGER, METRICS } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { RouteGuard } from '../auth/route-guard.js';
import type { GatewayConfig } from '../config.js';
import type { Call } from '../http/call.js';
import { InputAdmission } from '../http/input-admission.js';
import { MemoryQueryService, TOKEN_COUNTER } from '../memory-query/memory-query.service.js';
import type { ChatCall, ChatInput } from './chat-request.js';
import { type ChatThread, ChatTurns, type ComparedHistory } from './chat-turns.js';
import { type MemoryBlock, renderMemoryBlock, renderProfileBlock } from './memory-block.js';

/** What became of the memory of a completion (docs/chat.md#headers). */
type RecallStatus = 'used' | 'none' | 'off' | 'no_user' | 'not_allowed' | 'prefill' | 'unavailable';
type IngestStatus = 'stored' | 'duplicate' | 'off' | 'no_user' | 'not_allowed' | 'failed';

export interface PreparedMemory {
  readonly recall: RecallStatus;
  readonly ingest: IngestStatus;
  /** As stored; null of a request whose memory is that of nobody, or whose user could not be looked up. */
  readonly userId: string | null;
  readonly threadId: string | null;
  readonly revision: number | null;
  readonly memory: MemoryBlock | null;
  readonly profile: MemoryBlock | null;
  /** Stores what was answered; `isCut`: it broke off, or its client left before its end. Never throws. */
  storeAnswer(texts: readonly string[], isCut: boolean): Promise<void>;
}

interface Recalled {
  readonly memory: MemoryBlock | null;
  readonly profile: MemoryBlock | null;
  readonly revision: number;
  readonly userId: string;
  readonly threadId: string;
}

/** Both ends of a long message say what it is about. */
const MAX_QUESTION_UNITS = 4_000;
const PROFILE_TOKENS = 512;

const NOTHING = {
  userId: null,
  threadId: null,
  revision: null,
  memory: null,
  profile: null,
  storeAnswer: async () => undefined,
};

class MemoryTimeout extends Error {
  override readonly name = 'MemoryTimeout';
}

/**
 * The memory of a completion: what was said is stored, what helps is recalled. A failure of either never fails the
 * completion; only a request that names a user or an agent whom its key may not use is refused.
 */
@Injectable()
export class ChatMemory {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(TOKEN_COUNTER) private readonly countTokens: TokenCounter,
    @Inject(RouteGuard) private readonly guard: RouteGuard,
    @Inject(InputAdmission) private readonly inputs: InputAdmission,
    @Inject(MemoryQueryService) private readonly queries: MemoryQueryService,
    @Inject(ChatTurns) private readonly turns: ChatTurns,
  ) {}

  /** Throws `forbidden_…` and `validation_failed`. */
  async prepare(call: ChatCall, input: ChatInput): Promise<PreparedMemory> {
    const { memory: settings, scope, view } = input;
    if (!settings.enabled) return { ...NOTHING, recall: 'off', ingest: 'off' };
    if (scope.userId === null) return { ...NOTHING, recall: 'no_user', ingest: 'no_user' };
    const threadId = scope.threadId ?? this.turns.deriveThreadId(tenantOf(call.caller), scope.userId, view.turns);
    if (threadId === null) return { ...NOTHING, recall: 'none', ingest: 'off' };
    const named = { userId: scope.userId, threadId, agentId: scope.agentId, isNamed: scope.threadId !== null };
    return this.run(call, input, named);
  }

  private async run(call: ChatCall, input: ChatInput, named: ChatThread): Promise<PreparedMemory> {
    const before = this.clock.now();
    const { signal, timer } = this.startMemoryDeadline();
    try {
      const comparing = this.compare(call, named, input);
      const compared = await within(signal, comparing, 'failed' as const);
      const history = typeof compared === 'string' ? null : compared;
      // Neither needs the other: what is stored now is left out by its time.
      const storing = this.store(call, comparing);
      const recalling = this.recall(call, input, { named, history, before });
      const [ingest, recalled] = await Promise.all([
        within(signal, storing, 'failed' as const),
        within(signal, recalling, 'unavailable' as const),
      ]);
      const found = typeof recalled === 'string' ? null : recalled;
      return {
        recall: typeof recalled === 'string' ? recalled : describeRecall(input, recalled),
        ingest,
        userId: history?.thread.userId ?? found?.userId ?? null,
        threadId: history?.thread.threadId ?? found?.threadId ?? named.threadId,
        revision: found?.revision ?? null,
        memory: found?.memory ?? null,
        profile: found?.profile ?? null,
        storeAnswer: async (texts, isCut) => {
          const deadline = this.startMemoryDeadline();
          // The history may still be on its way, for longer than the completion waits for it.
          const stored = storing.then(() => this.storeAnswer(call, { texts, isCut }, comparing));
          await within(deadline.signal, stored, undefined);
          deadline.timer.stop();
        },
      };
    } finally {
      timer.stop();
    }
  }

  private startMemoryDeadline() {
    return startDeadline(this.clock, this.config.chat.memoryTimeoutMs, () => new MemoryTimeout());
  }

  private isAllowed(route: typeof routes.queryMemory | typeof routes.postConversation, { caller }: ChatCall): boolean {
    try {
      this.guard.checkRoute(route, caller);
      return true;
    } catch (error) {
      if (error instanceof ProblemError) return false;
      throw error;
    }
  }

  /** `isNew`: the thread begins with this request, and has no summary. */
  private prepareQuery(
    call: ChatCall,
    { memory, scope, view }: ChatInput,
    threadId: string,
    isNew: boolean,
  ): Promise<QueryCall> {
    const { top_k, budget_tokens, threshold, recency_weight, profile } = memory;
    const body = {
      query: shorten(view.question ?? '') || undefined,
      filters: { user_id: scope.userId },
      thread_id: threadId,
      ...(scope.agentId === null ? {} : { agent: scope.agentId }),
      top_k,
      budget_tokens,
      threshold,
      ...(recency_weight === undefined ? {} : { recency_weight }),
      return: 'full',
      ...(isNew ? {} : { include: ['summary'] }),
      include_related: false,
      // The profile has them.
      core: !profile,
    };
    return this.inputs.prepare(routes.queryMemory, body, call);
  }

  /** Reads the thread. Throws only the mistakes of the caller. */
  private async compare(
    call: ChatCall,
    named: ChatThread,
    { view, scope }: ChatInput,
  ): Promise<ComparedHistory | 'not_allowed' | 'failed'> {
    if (!this.isAllowed(routes.postConversation, call)) return 'not_allowed';
    try {
      return await withSpan('chat.compare', {}, async () => {
        const thread = await this.turns.findThread(call, named);
        return this.turns.compare(call, thread, view.turns, scope);
      });
    } catch (error) {
      if (isMistake(error)) throw error;
      this.report('store', call, error);
      return 'failed';
    }
  }

  /** Never throws. */
  private async store(call: ChatCall, comparing: ReturnType<ChatMemory['compare']>): Promise<IngestStatus> {
    try {
      const history = await comparing;
      if (typeof history === 'string') return history;
      if (history.messages.length === 0) return 'duplicate';
      await withSpan('chat.store', {}, () => this.turns.store(call, history));
      return 'stored';
    } catch (error) {
      this.report('store', call, error);
      return 'failed';
    }
  }

  private async recall(
    call: ChatCall,
    input: ChatInput,
    { named, history, before }: { named: ChatThread; history: ComparedHistory | null; before: number },
  ): Promise<Recalled | 'not_allowed' | 'unavailable'> {
    if (!this.isAllowed(routes.queryMemory, call)) return 'not_allowed';
    const { view, memory: settings } = input;
    try {
      return await withSpan('chat.recall', {}, async () => {
        const query = await this.prepareQuery(call, input, named.threadId, history?.startedAt === null);
        const threadId = query.body.thread_id!;
        const prompt = {
          messageIds: new Set(history?.matched),
          since: history === null ? null : { threadId, at: before },
        };
        const asksNow = query.body.query !== undefined && view.lastRole !== 'assistant';
        const [answer, profile] = await Promise.all([
          asksNow ? this.queries.answer(query, prompt) : null,
          settings.profile ? this.queries.answer(toProfileQuery(query, history?.startedAt ?? before)) : null,
        ]);
        const options = {
          budgetTokens: settings.budget_tokens,
          countTokens: this.countTokens,
          isBefore: this.config.chat.placement === 'before',
        };
        return {
          memory: answer && renderMemoryBlock(answer, options),
          profile: profile && renderProfileBlock(profile),
          revision: (answer ?? profile)?.revision ?? 0,
          userId: query.body.filters.user_id,
          threadId,
        };
      });
    } catch (error) {
      if (isMistake(error)) throw error;
      this.report('recall', call, error);
      return 'unavailable';
    }
  }

  /** Never throws. */
  private async storeAnswer(
    call: ChatCall,
    { texts, isCut }: { readonly texts: readonly string[]; readonly isCut: boolean },
    comparing: ReturnType<ChatMemory['compare']>,
  ): Promise<void> {
    // Of several answers, the client keeps one, and sends it with its next request.
    const [text = ''] = texts;
    if (texts.length !== 1 || text.trim() === '') return;
    try {
      const history = await comparing;
      if (typeof history === 'string') return;
      await withSpan('chat.store', {}, () => this.turns.storeAnswer(call, { text, isCut }, history));
    } catch (error) {
      this.report('store', call, error);
    }
  }

  private report(step: 'store' | 'recall', { requestId, caller }: Call, error: unknown): void {
    this.metrics.inc('memory_llm_chat_memory_failures_total', { step });
    this.logger.warn('chat_memory_failed', { requestId, tenantId: tenantOf(caller), step, error });
  }
}

type QueryCall = Call<typeof routes.queryMemory>;

/** What was known when the conversation began, so that the block stays the same while it lasts. */
function toProfileQuery(query: QueryCall, startedAt: number): QueryCall {
  return {
    ...query,
    body: {
      ...query.body,
      query: undefined,
      top_k: undefined,
      threshold: undefined,
      include: undefined,
      return: 'bullets',
      core: true,
      budget_tokens: PROFILE_TOKENS,
      known_at: new Date(startedAt).toISOString(),
    },
  };
}

function describeRecall({ view }: ChatInput, { memory, profile }: Recalled): RecallStatus {
  if (memory !== null || profile !== null) return 'used';
  return view.lastRole === 'assistant' ? 'prefill' : 'none';
}

/**
 * The request names somebody whom its key may not use, or an id that is none: a mistake of the caller, and no failure of
 * the memory.
 */
function isMistake(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return ['forbidden_user', 'forbidden_agent', 'validation_failed'].includes(error.code);
}

function shorten(text: string): string {
  const half = MAX_QUESTION_UNITS / 2 - 1;
  return makeStorable(text.length <= MAX_QUESTION_UNITS ? text : `${text.slice(0, half)} ${text.slice(-half)}`);
}

/** What `work` comes to, or `late` when the deadline is earlier. */
async function within<T, L>(signal: AbortSignal, work: Promise<T>, late: L): Promise<T | L> {
  // It may fail when nobody waits for it any more.
  work.catch(() => undefined);
  if (signal.aborted) return late;
  return new Promise<T | L>((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(late), { once: true });
    work.then(resolve, reject);
  });
}
