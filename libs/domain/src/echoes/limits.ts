import type { TurnToken } from './read-turn.js';

const LIMITING = new Set(
  'rarely hardly barely scarcely seldom formerly previously nearly almost supposedly allegedly'.split(' '),
);
/** Behind what is said. */
const BOUNDS = new Set('until till only expired ended lapsed cancelled canceled'.split(' '));

/** Whether an adverb takes back what its verb says, in part or as a whole. */
export function isLimiting(word: string): boolean {
  return LIMITING.has(word);
}

/** Whether the clause goes on behind the token at `end` with what limits it: "until June", "that expired", "only on paper". */
export function isBounded(tokens: readonly TurnToken[], end: number): boolean {
  const tail = tokens.slice(end + 1);
  const next = tail.findIndex(({ word }) => word === 'and');
  return (next < 0 ? tail : tail.slice(0, next)).some(({ word }) => BOUNDS.has(word));
}
