import { createHash } from 'node:crypto';
import { DAY_MS } from './types.js';

/** How long a pair that was decided is not decided again. */
export const FINGERPRINT_TTL_MS = 14 * DAY_MS;

interface PairMember {
  readonly id: string;
  readonly revision: number;
}

/** The same for both orders of a pair; another one once either memory or the similarity (two digits) has changed. */
export function fingerprintPair(a: PairMember, b: PairMember, score: number): string {
  const [first, second] = [a, b].map(({ id, revision }) => `${id}:${revision}`).toSorted();
  return createHash('sha256')
    .update(`${first} ${second} ${score.toFixed(2)}`)
    .digest('hex')
    .slice(0, 32);
}
