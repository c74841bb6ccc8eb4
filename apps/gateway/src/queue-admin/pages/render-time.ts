const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** A duration in its largest two units, such as `3 h 20 min`. */
export function renderDuration(ms: number): string {
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  if (first === -1) return '0 s';
  const [size, name] = UNITS[first]!;
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((ms % size) / next[0]) : 0;
  return `${Math.floor(ms / size)} ${name}${next && rest > 0 ? ` ${rest} ${next[1]}` : ''}`;
}

/** An instant in UTC, to the second. */
export function renderInstant(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}
