import { readStatedFacts, stem } from '@annals/english';

/** Words that limit what a statement says, or that somebody only wants, thinks or tries it. */
const QUALIFIERS = new Set(
  (
    'only just almost nearly barely mostly partly except unless if whether when whenever while until otherwise instead but ' +
    'although though because than like maybe perhaps probably possibly would could might may should must will going ' +
    'want wants wanted wish wishes wished hope hopes hoped plan plans planned intend intends consider considers considering ' +
    'try tries tried think thinks thought believe believes believed guess guesses claim claims claimed say says said ' +
    'dream dreams dreamt pretend pretends doubt doubts fear fears suppose supposes apply applied applies lost lose ' +
    'that who which whose where once formerly former future second another other fake toy virtual imaginary sometimes rarely ' +
    'seldom occasionally most least half some few failed fails fail again temporarily allegedly apparently someone somebody'
  ).split(' '),
);
/** A tail that says how far or whether something holds. */
const LIMITING_PHRASE =
  /\b(?:at (?:most|least|best|worst)|in (?:theory|part|case|general|principle)|as (?:if|long|though)|for now|on (?:condition|the way|paper|hold|trial|loan)|at home)\b/iu;

/** Sorted; those of two statements with one meaning are the same. */
export function listQualifiers(text: string): readonly string[] {
  const { tokens, dates } = readStatedFacts(text);
  const words = tokens.flatMap(({ lower }, at) => {
    // "In May" limits nothing.
    return QUALIFIERS.has(lower) && !dates.some(({ from, to }) => from <= at && at < to) ? [lower] : [];
  });
  return [...new Set(words.map(stem))].toSorted();
}

/** Whether words that one statement has beside those of another may limit it. */
export function isLimiting(words: readonly string[]): boolean {
  return words.some((word) => QUALIFIERS.has(word)) || LIMITING_PHRASE.test(words.join(' '));
}
