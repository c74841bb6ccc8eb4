const DAY_LENGTH = '2026-11-28'.length;

/** A thread for each day: a single one would grow without end, and lose its oldest facts. */
export function threadOfDay(now: number): string {
  return `ai-sdk-${new Date(now).toISOString().slice(0, DAY_LENGTH)}`;
}
