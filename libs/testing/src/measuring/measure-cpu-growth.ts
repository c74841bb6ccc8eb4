const SIZE_FACTOR = 8;
/** Minimum CPU time to measure, since kernels count the CPU time of a thread in steps of up to 10 ms. */
const MIN_MEASURED_MICROS = 80_000;
/** Other tenants of a machine can only add to a measured time, so of several the shortest is nearest to the truth. */
const ROUNDS = 5;

/** Halfway between linear and quadratic, on the scale on which those are 8 and 64. */
export const MAX_LINEAR_GROWTH = 22;

/**
 * How many times more CPU time of this thread `work` takes on eight times the size: about 8 when it is linear, 64 when
 * it is quadratic. Growth that looks worse than linear is measured again, up to five times.
 * @param work synchronous
 * @param size of the larger input
 */
export function measureCpuGrowth(work: (size: number) => unknown, size: number): number {
  return compareCpuTime(
    () => work(size),
    () => work(Math.ceil(size / SIZE_FACTOR)),
    MAX_LINEAR_GROWTH,
  );
}

/**
 * CPU time of this thread for `work`, as a multiple of that for `baseline`. A multiple of `limit` or more is measured
 * again, up to five times.
 */
export function compareCpuTime(work: () => unknown, baseline: () => unknown, limit: number): number {
  // Warms up the JIT before anything is measured.
  work();
  let workMicros = Infinity;
  let baselineMicros = Infinity;
  for (let round = 1; ; round += 1) {
    baselineMicros = Math.min(baselineMicros, measureCpuMicros(baseline));
    workMicros = Math.min(workMicros, measureCpuMicros(work));
    const multiple = workMicros / baselineMicros;
    if (multiple < limit || round === ROUNDS) return multiple;
  }
}

/** CPU time of one run, averaged over as many as reach the minimum. */
export function measureCpuMicros(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= MIN_MEASURED_MICROS) return (user + system) / runs;
  }
}
