/** Percentiles of one set of samples. */
export interface Summary {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function summarize(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  return { count: sorted.length, p50: pick(sorted, 0.5), p95: pick(sorted, 0.95), p99: pick(sorted, 0.99) };
}

/** The median of each figure over the rounds, so that one round on a busy machine has no effect. */
export function medianOfRounds(rounds: readonly Summary[]): Summary {
  return {
    count: rounds.reduce((sum, { count }) => sum + count, 0),
    p50: median(rounds.map(({ p50 }) => p50)),
    p95: median(rounds.map(({ p95 }) => p95)),
    p99: median(rounds.map(({ p99 }) => p99)),
  };
}

export function median(values: readonly number[]): number {
  return pick(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function pick(sorted: readonly number[], share: number): number {
  const last = sorted.length - 1;
  if (last < 0) throw new Error('There are no samples.');
  return sorted[Math.min(last, Math.floor(sorted.length * share))]!;
}
