import { listStems } from './describe-goal.js';

const DISTINCT = /\d|\p{Ll}\p{Lu}|[_/.@]\p{L}|^\p{Lu}/u;
/** How much of the words of a step must have been said: a model may say "run" of what an agent "started". */
const MIN_SHARE = 0.5;

/** Whether the words of a workflow support an instruction: half of its words, and all numbers, names and identifiers. */
export function isSupportedStep(instruction: string, known: ReadonlySet<string>): boolean {
  const stems = listStems(instruction);
  const share = stems.filter((one) => known.has(one)).length / Math.max(1, stems.length);
  const distinct = instruction
    .split(/\s+/u)
    .slice(1)
    .filter((word) => DISTINCT.test(word));
  return stems.length > 0 && share >= MIN_SHARE && distinct.every((word) => isKnown(word, known));
}

function isKnown(text: string, known: ReadonlySet<string>): boolean {
  return listStems(text).every((one) => known.has(one));
}
