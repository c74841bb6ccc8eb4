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
  // Warms up the JIT before anything is measured.
  work(size);
  let small = Infinity;
  let large = Infinity;
  for (let round = 0; round < ROUNDS && !(large / small < MAX_LINEAR_GROWTH); round += 1) {
    small = Math.min(
      small,
      measureCpuMicros(() => work(Math.ceil(size / SIZE_FACTOR))),
    );
    large = Math.min(
      large,
      measureCpuMicros(() => work(size)),
    );
  }
  return large / small;
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
