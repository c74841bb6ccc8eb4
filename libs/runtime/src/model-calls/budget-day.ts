const DAY_MS = 86_400_000;

/** The UTC day of an instant (epoch ms), `YYYY-MM-DD` (docs/reference/budgets.md#budget-day). */
export function toBudgetDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The next UTC midnight, epoch ms: the budget of the next day applies from then on. */
export function findNextBudgetDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/** The day of an instant and the one before it: calls admitted before midnight may settle after it. */
export function listOpenDays(now: number): string[] {
  return [toBudgetDay(now), toBudgetDay(now - DAY_MS)];
}
