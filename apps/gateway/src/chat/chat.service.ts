import { ProblemError } from '@annals/contracts';
import { type Clock, startDeadline } from '@annals/domain';
import {
  ANTHROPIC_CACHE_MARK,
  type CacheMark,
  type ChatAnswer,
  wantsBreakpoints,
  OPENAI_CACHE_MARK,
  spliceRequest,
} from '@annals/llm-core';
import { type Logger, type Metrics } from '@annals/observability';
import { CLOCK, CONFIG, LOGGER, METRICS } from '@annals/runtime';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { STREAMED } from '../http/call.js';
import { requestContext } from '../http/request-context.js';
import { ChatMemory, type PreparedMemory } from './chat-memory.js';
import { type ChatCall, type ChatInput, readChatInput } from './chat-request.js';
import { ChatUpstreams, type ChosenUpstream, forwardHeaders } from './chat-upstreams.js';
import { type ExchangeEnd, MeteredChat } from './metered-chat.js';
import { relayAnswer } from './relay-answer.js';

/** Of the 25 s that a process has by default to stop. */
const STOP_AFTER_MS = 15_000;

class CompletionTimeout extends Error {
  override readonly name = 'CompletionTimeout';
}

/** Chat completions: recall, ask the upstream, pass its answer on, store what was said. */
@Injectable()
export class ChatService implements OnApplicationShutdown, OnModuleDestroy {
  private readonly stopping = new AbortController();
  /** Also of clients that have left. */
  private readonly open = new Set<Promise<unknown>>();

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(ChatUpstreams) private readonly upstreams: ChatUpstreams,
    @Inject(ChatMemory) private readonly memory: ChatMemory,
    @Inject(MeteredChat) private readonly metered: MeteredChat,
  ) {
    metrics.collectGauges(['memory_llm_chat_open'], async () => [
      { metric: 'memory_llm_chat_open', labels: {}, value: this.open.size },
    ]);
  }

  /** Completions go on while the process stops, but not so long that it would be killed with what they said. */
  onModuleDestroy(): void {
    this.clock.startTimer(STOP_AFTER_MS, () => this.stopping.abort(new Error('The process stops.')));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.open);
    await this.upstreams.close();
  }

  /** Throws `rate_limited` when too many completions are open in this process. */
  async complete(call: ChatCall): Promise<typeof STREAMED> {
    if (this.open.size >= this.config.chat.maxOpen) {
      throw new ProblemError('rate_limited', 'Too many completions are open in this process. Send it again.', {
        retryAfterSeconds: 1,
      });
    }
    const completion = this.run(call);
    this.open.add(completion);
    try {
      await completion;
      return STREAMED;
    } finally {
      this.open.delete(completion);
    }
  }

  private async run(call: ChatCall): Promise<void> {
    const startedMs = performance.now();
    const { request } = call.raw;
    const input = readChatInput(call, requestContext(request).rawBody!);
    const upstream = this.upstreams.choose(input.view.model, request.headers);
    const prepared = await this.memory.prepare(call, input);
    const body = this.buildBody(input, prepared, upstream);
    this.metrics.observe('memory_llm_chat_added_ms', performance.now() - startedMs);
    this.metrics.inc('memory_llm_chat_completions_total', { recall: prepared.recall, ingest: prepared.ingest });
    await this.exchange(call, input, { upstream, prepared, body });
  }

  private buildBody(input: ChatInput, { recall, memory, profile }: PreparedMemory, upstream: ChosenUpstream): Buffer {
    const { placement } = this.config.chat;
    const { view } = input;
    const usesMemory = recall !== 'off' && recall !== 'no_user';
    const additions = {
      profile: profile?.text ?? null,
      memory: memory && { text: memory.text, placement },
      cacheMark: usesMemory ? chooseCacheMark(upstream, view.model) : null,
      usage: this.asksForUsage(input, upstream),
    };
    return Buffer.from(spliceRequest(input.text, additions));
  }

  /** Whether usage is asked for although the client does not. */
  private asksForUsage({ view }: ChatInput, { billing, provider }: ChosenUpstream): boolean {
    if (this.config.chat.streamUsage !== 'always' || provider !== 'openai') return false;
    return view.isStream && !view.asksUsage && billing === 'ours';
  }

  private async exchange(
    call: ChatCall,
    input: ChatInput,
    { upstream, prepared, body }: { upstream: ChosenUpstream; prepared: PreparedMemory; body: Buffer },
  ): Promise<void> {
    const run = async (signal: AbortSignal): Promise<ExchangeEnd> => {
      const answer = await this.ask(call, input, { upstream, body, signal });
      await relayAnswer(answer, {
        reply: call.raw.reply,
        signal,
        headers: describeMemory(prepared),
        beforeEnd: (isWhole) => {
          const { texts, isComplete } = answer.outcome();
          return prepared.storeAnswer(texts, !isWhole || !isComplete);
        },
      });
      return { status: answer.status, outcome: answer.outcome() };
    };
    try {
      if (upstream.billing === 'callers') await this.runUnmetered(run);
      else {
        const { signal } = this.stopping;
        const tenantId = tenantOf(call.caller);
        const { userId } = prepared;
        await this.metered.run({ tenantId, userId, input, body, upstream, signal, exchange: run });
      }
    } catch (error) {
      // The client has its answer, or a broken connection: nothing more can be said to it.
      if (!call.raw.reply.raw.headersSent) throw error;
      this.logger.warn('chat_upstream_failed', { requestId: call.requestId, provider: upstream.provider, error });
    }
  }

  private async runUnmetered(run: (signal: AbortSignal) => Promise<ExchangeEnd>): Promise<void> {
    const { timeoutMs } = this.config.chat;
    const { signal, timer } = startDeadline(this.clock, timeoutMs, () => new CompletionTimeout());
    try {
      await run(AbortSignal.any([signal, this.stopping.signal]));
    } finally {
      timer.stop();
    }
  }

  private async ask(
    call: ChatCall,
    input: ChatInput,
    { upstream, body, signal }: { upstream: ChosenUpstream; body: Buffer; signal: AbortSignal },
  ): Promise<ChatAnswer> {
    try {
      return await upstream.upstream.complete({
        body,
        apiKey: upstream.apiKey,
        headers: forwardHeaders(call.raw.request.headers, upstream.billing),
        withholdsUsage: this.asksForUsage(input, upstream),
        signal,
      });
    } catch (error) {
      throw unreachable(error);
    }
  }
}

/** Null where the provider finds the beginning of a prompt by itself. */
function chooseCacheMark({ provider }: ChosenUpstream, model: string): CacheMark | null {
  if (provider === 'claude') return ANTHROPIC_CACHE_MARK;
  return wantsBreakpoints(model) ? OPENAI_CACHE_MARK : null;
}

function describeMemory({
  recall,
  ingest,
  threadId,
  revision,
  memory,
  profile,
}: PreparedMemory): Record<string, string> {
  const ids = [...(profile?.ids ?? []), ...(memory?.ids ?? [])];
  return {
    'x-annals-memory': recall,
    'x-annals-ingest': ingest,
    ...(threadId === null ? {} : { 'x-annals-thread': toHeaderValue(threadId) }),
    ...(revision === null ? {} : { 'x-annals-rev': String(revision) }),
    ...(ids.length === 0 ? {} : { 'x-annals-memory-ids': ids.join(',') }),
  };
}

/** Ids may have letters that no header can have. */
function toHeaderValue(id: string): string {
  return /^[\x21-\x24\x26-\x7e]+$/.test(id) ? id : encodeURIComponent(id);
}

function unreachable(cause: unknown): ProblemError {
  return new ProblemError(
    'upstream_unreachable',
    'The upstream could not be reached, or gave no answer in time. Send the request again.',
    { cause },
  );
}
