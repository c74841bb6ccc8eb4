const DAY_MS = 86_400_000;

/**
 * The UTC day that an instant (epoch ms) belongs to, as `YYYY-MM-DD`: the window of every budget
 * (docs/reference/budgets.md#budget-day).
 */
export function toBudgetDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The next UTC midnight, epoch ms: from then on the next window's money can be spent. */
export function findNextBudgetDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/** The day of an instant and the one before it: calls that began before midnight settle after it. */
export function listOpenDays(now: number): string[] {
  return [toBudgetDay(now), toBudgetDay(now - DAY_MS)];
}
