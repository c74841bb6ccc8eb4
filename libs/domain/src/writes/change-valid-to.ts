import type { StoredMemory } from './types.js';

/**
 * Fields of a row whose end is believed to be `validTo` from `now` on. What was believed of it before is kept, so that
 * `known_at` answers as it did then; `closedAt` is since when the present belief holds.
 */
export function changeValidTo(row: StoredMemory, validTo: number | null, now: number): Partial<StoredMemory> {
  if (validTo === row.validTo) return {};
  if (row.closedAt === null) return { validTo, closedAt: now };
  return { validTo, closedAt: now, formerEnds: [...row.formerEnds, { since: row.closedAt, validTo: row.validTo }] };
}
