import { summarize } from '../../frame/statistics.ts';

export type RequestKind = 'post' | 'query' | 'other';

/** One request as its client saw it. `status` 0: no answer came. */
export interface RequestSample {
  /** When it was sent, in ms since the beginning of the load. */
  readonly atMs: number;
  readonly kind: RequestKind;
  readonly status: number;
  readonly ms: number;
}

/** What clients saw, one value for each bucket of time. Null: nothing was measured in it. */
export interface ClientTimeline {
  readonly bucketSeconds: number;
  /** Posts per second. */
  readonly accepted: readonly number[];
  /** Answered queries, ms. */
  readonly queryP50: readonly (number | null)[];
  readonly queryP95: readonly (number | null)[];
  /** Requests per second without an answer, and answered with an error that a client repeats. */
  readonly unanswered: readonly number[];
  readonly failed: readonly number[];
}

export function buildTimeline(
  samples: readonly RequestSample[],
  { bucketSeconds, seconds }: { readonly bucketSeconds: number; readonly seconds: number },
): ClientTimeline {
  const count = Math.ceil(seconds / bucketSeconds);
  const buckets = Array.from({ length: count }, (): RequestSample[] => []);
  for (const sample of samples) buckets[Math.floor(sample.atMs / 1_000 / bucketSeconds)]?.push(sample);
  const perSecond = (isCounted: (sample: RequestSample) => boolean) =>
    buckets.map((bucket) => round(bucket.filter(isCounted).length / bucketSeconds));
  const latencies = buckets.map((bucket) => {
    const answered = bucket.filter((sample) => sample.kind === 'query' && isSuccess(sample));
    return answered.length === 0 ? null : summarize(answered.map(({ ms }) => ms));
  });
  return {
    bucketSeconds,
    accepted: perSecond((sample) => sample.kind === 'post' && isSuccess(sample)),
    queryP50: latencies.map((summary) => summary && round(summary.p50)),
    queryP95: latencies.map((summary) => summary && round(summary.p95)),
    unanswered: perSecond(({ status }) => status === 0),
    failed: perSecond(({ status }) => status === 429 || status >= 500),
  };
}

/** Requests by status; `none` without an answer. */
export function countStatuses(samples: readonly RequestSample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of samples) {
    const name = status === 0 ? 'none' : `${status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Values of a series of Prometheus, one for each bucket. */
export function alignSeries(
  points: readonly (readonly [at: number, value: number])[],
  { startSeconds, bucketSeconds, count }: { startSeconds: number; bucketSeconds: number; count: number },
): (number | null)[] {
  const values: (number | null)[] = Array.from({ length: count }, () => null);
  for (const [at, value] of points) {
    const index = Math.round((at - startSeconds) / bucketSeconds);
    if (index >= 0 && index < count && Number.isFinite(value)) values[index] = round(value);
  }
  return values;
}

function isSuccess({ status }: RequestSample): boolean {
  return status >= 200 && status < 300;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
