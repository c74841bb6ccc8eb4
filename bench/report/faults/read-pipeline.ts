import type { ScrapingPrometheus } from '@annals/testing';
import { alignSeries } from './timeline.ts';

const EXPRESSIONS = {
  /** Memories written per second. */
  remembered: 'sum(rate(memory_llm_persist_inserted_total[30s]))',
  /** Work that is due, of all kinds. */
  due: 'sum(max by (queue) (memory_llm_work_due))',
  /** Age of the oldest work that is due, in seconds. */
  oldestDueSeconds: 'max(memory_llm_work_oldest_due_ms) / 1000',
  /** Calls of models per second. */
  modelCalls: 'sum(rate(memory_llm_requests_total[30s]))',
  /** Share of each budget that is spent, in per cent. */
  budgetPercent: 'max(memory_llm_budget_utilization_percent)',
} as const;

export type PipelineTimeline = Readonly<Record<keyof typeof EXPRESSIONS, readonly (number | null)[]>>;

/** What Prometheus recorded of the pipeline, in the same buckets as the timeline of the clients. */
export async function readPipeline(
  prometheus: ScrapingPrometheus,
  { from, seconds, bucketSeconds }: { readonly from: number; readonly seconds: number; readonly bucketSeconds: number },
): Promise<PipelineTimeline> {
  const count = Math.ceil(seconds / bucketSeconds);
  const range = { start: from, end: from + (count - 1) * bucketSeconds, step: bucketSeconds };
  const timelines = await Promise.all(
    Object.entries(EXPRESSIONS).map(async ([name, expression]) => {
      const [series] = await prometheus.queryRange(expression, range);
      return [name, alignSeries(series?.points ?? [], { startSeconds: from, bucketSeconds, count })] as const;
    }),
  );
  return Object.fromEntries(timelines) as unknown as PipelineTimeline;
}
