import type { Clock } from '@annals/domain';
import type { Reranker } from '@annals/llm-core';
import type { Logger } from '@annals/observability';
import { CLOCK, CONFIG, LOGGER, meterReranker, MODEL_CALLS, type ModelCalls } from '@annals/runtime';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { GATEWAY_OPTIONS, type GatewayConfig, type GatewayOptions } from '../config.js';
import { attemptInTime, type FailedAttempt } from '../embedding/attempt-in-time.js';

/** The relevance of each document, 0 to 1, in their order; or why there is none. */
export type RerankAttempt = { readonly scores: readonly number[] } | FailedAttempt;

/** Share of the timeout that a call gets, so that calls to a hanging server fail by themselves and open its circuit. */
const CALL_SHARE = 0.75;

/** Reranks with a cross-encoder, if one is configured (docs/reference/recall.md#reranking). */
@Injectable()
export class QueryReranker implements OnModuleInit {
  private readonly reranker: Reranker | null;

  constructor(
    @Inject(GATEWAY_OPTIONS) { reranker }: GatewayOptions,
    @Inject(MODEL_CALLS) calls: ModelCalls | null,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const timeoutMs = config.rerank.timeoutMs * CALL_SHARE;
    this.reranker = reranker && meterReranker(reranker, calls, { clock, timeoutMs });
  }

  /** A model that cannot be loaded makes the start fail, not the first query. */
  async onModuleInit(): Promise<void> {
    await this.reranker?.load?.();
  }

  get model(): string | null {
    return this.reranker?.model ?? null;
  }

  /** How many of the best candidates are reranked; 0 if no reranker is configured. */
  get candidates(): number {
    return this.reranker ? this.config.rerank.candidates : 0;
  }

  /** A reason when the server fails or admission control refuses the call. @throws DatabaseUnavailableError */
  async rerank(tenantId: string, query: string, documents: readonly string[]): Promise<RerankAttempt> {
    if (!this.reranker) throw new Error('No reranker is configured.');
    if (documents.length === 0) return { scores: [] };
    const billingContext = { tenantId, userId: null, batch: null };
    const { reranker } = this;
    return attemptInTime(
      async (signal) => ({ scores: (await reranker.rerank({ query, documents }, { signal, billingContext })).scores }),
      {
        clock: this.clock,
        timeoutMs: this.config.rerank.timeoutMs,
        onFailed: (reason, error) => {
          this.logger.warn('rerank_degraded', { provider: reranker.name, reason, error });
        },
      },
    );
  }
}
