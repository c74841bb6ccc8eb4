import type { StoredMemory } from './types.js';

/**
 * The fields of a row whose end is `validTo` in transaction time from `now` on. Previous ends are retained in
 * `formerEnds`, so that `known_at` returns what was known then; `closedAt` is when the current end was recorded.
 */
export function changeValidTo(row: StoredMemory, validTo: number | null, now: number): Partial<StoredMemory> {
  if (validTo === row.validTo) return {};
  if (row.closedAt === null) return { validTo, closedAt: now };
  return { validTo, closedAt: now, formerEnds: [...row.formerEnds, { since: row.closedAt, validTo: row.validTo }] };
}
