import { createHash } from 'node:crypto';
import { type ItemPlace, placeText } from './item-place.js';

/** The class of the advisory locks ("ANLI" in ASCII). */
export const PLACE_LOCK = 0x414e4c49;
/** Of one user. So many a transaction holds at most, since PostgreSQL has room for 64 of each by default. */
const LOCKS_OF_USER = 32;

/**
 * Numbers of the locks of places, in the order in which everyone takes them, so that no two writers wait for each other. Two
 * places may share a lock, and then their writers wait for one another.
 */
export function placeLocks(tenantId: string, userId: string, places: readonly ItemPlace[]): number[] {
  const first = hash(JSON.stringify([tenantId, userId]));
  const locks = new Set(places.map((place) => first - modulo(first) + modulo(hash(placeText(place)))));
  return [...locks].toSorted((a, b) => a - b);
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readInt32BE();
}

function modulo(n: number): number {
  return ((n % LOCKS_OF_USER) + LOCKS_OF_USER) % LOCKS_OF_USER;
}
