import type { Metrics } from '@annals/observability';

export type QueryPhase = 'embed' | 'candidates' | 'rerank' | 'rank' | 'load' | 'total';

/** Durations of the phases of one query, for the metrics and for `explain`. */
export class PhaseTimes {
  readonly ms: Record<string, number> = {};

  constructor(private readonly metrics: Metrics) {}

  async time<T>(phase: QueryPhase, work: () => T | Promise<T>): Promise<T> {
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      const tookMs = performance.now() - startedMs;
      this.ms[phase] = Math.round((this.ms[phase] ?? 0) * 1e3 + tookMs * 1e3) / 1e3;
      this.metrics.observe('memory_llm_query_duration_ms', tookMs, { phase });
    }
  }
}
