const DAY_MS = 86_400_000;

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Midnight UTC of the day an instant falls on. All calendar arithmetic here is in UTC: messages carry no zone. */
export function startOfDay(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS) * DAY_MS;
}

export function addDays(epochMs: number, days: number): number {
  return epochMs + days * DAY_MS;
}

/** Monday of the week an instant falls in. */
export function startOfWeek(epochMs: number): number {
  const day = startOfDay(epochMs);
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -sinceMonday);
}

/** First day of the month `offset` months away. */
export function startOfMonth(epochMs: number, offset = 0): number {
  const date = new Date(epochMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
}

export function startOfYear(epochMs: number, offset = 0): number {
  return Date.UTC(new Date(epochMs).getUTCFullYear() + offset, 0, 1);
}

/** Undefined when the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): number | undefined {
  const time = Date.UTC(year, month, day);
  return new Date(time).getUTCDate() === day ? time : undefined;
}
