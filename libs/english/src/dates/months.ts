/** English names of the months, January first. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** "8 May 2023" in UTC, the same under every locale; empty for a missing or invalid time. */
export function renderDay(time: number | string | Date | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : `${date.getUTCDate()} ${renderMonth(date.getTime())}`;
}

export function renderMonth(time: number): string {
  const date = new Date(time);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
