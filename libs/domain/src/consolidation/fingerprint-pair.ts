import { createHash } from 'node:crypto';
import { DAY_MS } from './types.js';

/** How long a pair that was decided is not decided again, and a candidate that was compared not compared again. */
export const FINGERPRINT_TTL_MS = 14 * DAY_MS;

interface PairMember {
  readonly id: string;
  readonly revision: number;
}

/** The same for both orders of a pair; another one once either memory or the similarity (two digits) has changed. */
export function fingerprintPair(a: PairMember, b: PairMember, score: number): string {
  const [first, second] = [a, b].map(({ id, revision }) => `${id}:${revision}`).toSorted();
  return hash(`${first} ${second} ${score.toFixed(2)}`);
}

/** Of a candidate that was compared with what is near it; another one once it has changed. */
export function fingerprintMemory({ id, revision }: PairMember): string {
  return hash(`${id}:${revision}`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
