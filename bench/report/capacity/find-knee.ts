/** What one process did with work that came at one rate. */
export interface Step {
  /** Per second. */
  readonly offered: number;
  /** Per second, while it came. */
  readonly carried: number;
  /** Time from when the work was due until it was done, ms. */
  readonly p50: number;
  readonly p95: number;
  /** CPU of the process and of PostgreSQL, in cores; null where PostgreSQL is on another machine. */
  readonly cores: number;
  readonly databaseCores: number | null;
  readonly rssMb: number;
}

/** Less than this share of what was offered: a backlog grows. */
export const CARRIED_SHARE = 0.93;

/**
 * The highest rate at which no backlog grows and 95 % is done within the limit, there and at every lower rate;
 * undefined when there is none.
 */
export function findKnee(steps: readonly Step[], limitMs: number): Step | undefined {
  const ascending = steps.toSorted((a, b) => a.offered - b.offered);
  const bend = ascending.findIndex(({ offered, carried, p95 }) => carried < offered * CARRIED_SHARE || p95 > limitMs);
  return bend === -1 ? ascending.at(-1) : ascending[bend - 1];
}

/** Whether even the highest rate was carried, so that the process carries more than was measured. */
export function isKneeOpen(steps: readonly Step[], limitMs: number): boolean {
  const knee = findKnee(steps, limitMs);
  return knee !== undefined && steps.every(({ offered }) => offered <= knee.offered);
}
