const SIZE_FACTOR = 8;
/** Minimum CPU time to measure, since kernels count the CPU time of a thread in steps of up to 10 ms. */
const MIN_MEASURED_MICROS = 80_000;

/** Halfway between linear and quadratic, on the scale on which those are 8 and 64. */
export const MAX_LINEAR_GROWTH = 22;

/**
 * How many times more CPU time of this thread `work` takes on eight times the size: about 8 when it is linear, 64 when
 * it is quadratic. Other processes do not affect it.
 * @param work synchronous
 * @param size of the larger input
 */
export function measureCpuGrowth(work: (size: number) => unknown, size: number): number {
  // Warms up the JIT before anything is measured.
  work(size);
  const small = measureMicros(() => work(Math.ceil(size / SIZE_FACTOR)));
  return measureMicros(() => work(size)) / small;
}

/** CPU time of one run, averaged over as many as reach the minimum. */
function measureMicros(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= MIN_MEASURED_MICROS) return (user + system) / runs;
  }
}
