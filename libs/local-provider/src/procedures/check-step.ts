import { listStems } from './describe-goal.js';

const DISTINCT = /\d|\p{Ll}\p{Lu}|[_/.@]\p{L}/u;
/** How much of the words of a step must have been said: a model may say "run" of what an agent "started". */
const MIN_SHARE = 0.5;

/**
 * Whether what agents have said supports an instruction: half of its words are theirs, and all numbers, names and
 * identifiers in it.
 */
export function isSupportedStep(instruction: string, said: readonly string[]): boolean {
  const known = new Set(said.flatMap(listStems));
  const stems = listStems(instruction);
  const share = stems.filter((one) => known.has(one)).length / Math.max(1, stems.length);
  const words = instruction.split(/\s+/u).slice(1);
  const distinct = words.filter((word) => DISTINCT.test(word.replace(/[.,;:!?]+$/u, '')) || /^\p{Lu}/u.test(word));
  return (
    stems.length > 0 && share >= MIN_SHARE && distinct.every((word) => listStems(word).every((one) => known.has(one)))
  );
}

/** Whether every word that carries meaning was said, as a title needs it. */
export function isSupportedTitle(title: string, said: readonly string[]): boolean {
  const known = new Set(said.flatMap(listStems));
  const stems = listStems(title);
  return stems.length > 1 && stems.every((one) => known.has(one));
}
