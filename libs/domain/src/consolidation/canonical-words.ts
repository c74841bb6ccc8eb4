import { type FactToken, readStatedFacts, type StatedFacts } from '@annals/english';

/** Prepositions of a time mean the same with it: "on Tuesdays", "every Tuesday". */
const OF_TIME = /^(?:on|every|each|in)$/u;
const NEGATIVE = /^(?<auxiliary>do|does|did|is|are|was|were|has|have|had|would|could|should|must|need)n't$/u;
const IRREGULAR: Readonly<Record<string, readonly string[]>> = {
  "can't": ['can', 'not'],
  cannot: ['can', 'not'],
  "won't": ['will', 'not'],
};

/**
 * The words of a statement in a form in which spellings of numbers, times and negations do not matter: "doesn't take
 * calls after 6pm" and "does not take calls after 18:00" are equal. Dates and words of names begin with a sign; a time that opens the statement moves behind it.
 */
export function listCanonicalWords(text: string): readonly string[] {
  const stated = readStatedFacts(text);
  const values = listValues(stated);
  const names = new Set(stated.names.map(({ at }) => at));
  const words: string[] = [];
  for (let at = 0; at < stated.tokens.length; at += 1) {
    const value = values.get(at);
    if (value) {
      if (value.isDate && OF_TIME.test(words.at(-1) ?? '')) words.pop();
      words.push(value.word);
      at = value.to - 1;
    } else words.push(...readWord(stated.tokens[at]!).map((word) => (names.has(at) ? `${NAME_SIGN}${word}` : word)));
  }
  return joinPhrases(moveOpeningTime(words));
}

interface CanonicalValue {
  readonly word: string;
  readonly to: number;
  readonly isDate: boolean;
}

/** Of dates, and of words of names. */
export const DATE_SIGN = '@';
export const NAME_SIGN = '^';

function listValues({ quantities, dates }: StatedFacts): Map<number, CanonicalValue> {
  return new Map<number, CanonicalValue>([
    ...quantities.map(
      ({ from, to, value }) => [from, { word: value.replaceAll(' ', '_'), to, isDate: false }] as const,
    ),
    ...dates.map(
      ({ from, to, value }) => [from, { word: `${DATE_SIGN}${value.replaceAll(' ', '_')}`, to, isDate: true }] as const,
    ),
  ]);
}

function readWord({ lower, text, start, end, isMark }: FactToken): readonly string[] {
  if (isMark) return [];
  const auxiliary = NEGATIVE.exec(lower)?.groups?.['auxiliary'];
  if (auxiliary !== undefined) return [auxiliary, 'not'];
  const isOwner = end - start > text.length;
  return IRREGULAR[lower] ?? [isOwner ? `${lower}'s` : lower];
}

function moveOpeningTime(words: readonly string[]): readonly string[] {
  return words[0]?.startsWith(DATE_SIGN) ? [...words.slice(1), words[0]] : words;
}

/** "Does not have any debts" is "has no debts", "has been a nurse since 2015" is "is a nurse since 2015". */
function joinPhrases(words: readonly string[]): readonly string[] {
  const joined = ` ${words.join(' ')} `
    .replace(/ (?:do|does) not have (?:(?:any|an?) )?/u, ' has no ')
    .replace(/ has been (?=.* since )/u, ' is ')
    .replace(/(?<= not [^ ]+) any (?!more|longer)/u, ' ');
  return joined.trim().split(' ');
}
