import { MONTHS, STOP_WORDS } from '../words/word-lists.js';
import type { FactToken } from './fact-tokens.js';

/** A name as a text writes it, word by word. */
export interface NamedWord {
  readonly at: number;
  /** In lower case. */
  readonly value: string;
  /** It opens a sentence, where every word has a capital. */
  readonly isUnsure: boolean;
}

/** Words with a capital that name nobody. */
const NO_NAMES = new Set(
  (
    "i i'm i've i'd i'll mr mrs ms mx dr prof ok am pm user assistant " +
    'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays'
  ).split(' '),
);
/** Words that often open a sentence. */
const OPENERS = new Set(
  (
    'no not yes all any some each every both most many much few several other others another such one two three four five six ' +
    'seven eight nine ten however moreover therefore meanwhile otherwise instead overall afterwards later then next also still yet ' +
    'once twice since until while before after during although though because unless whether despite besides within without ' +
    'perhaps maybe never always often sometimes usually again today yesterday tomorrow tonight now soon there here first second ' +
    'third last finally eventually recently currently lately together everyone everybody everything someone somebody something ' +
    'anyone nobody nothing none neither either nor people things please thanks hello hi hey dear let over under about above below ' +
    'between through across against among around near off out up down just only even well so thus hence just another participant ' +
    'nowadays originally initially additionally specifically generally apparently especially unfortunately luckily notably'
  ).split(' '),
);
const HAS_INNER_FORM = /\p{Ll}\p{Lu}|\p{Lu}\p{Ll}*\.\p{Ll}|^\p{Lu}{2,}s?$/u;
const MIXED = /^(?=.*\p{N})(?=.*\p{L})/u;
const CAPITAL = /^\p{Lu}/u;
/** What follows a name that opens a sentence: a verb, an owner's thing, another name. */
const FINITE =
  /^(?:is|was|has|had|does|did|will|would|can|could|may|might|must|should|and|or|went|got|made|took|came|said|told|met|saw|knew|began|left|kept|felt|found|gave|grew|ran|sold|bought|brought|built|taught|thought|wrote|won|lost|spent|sent|led|never|also|no|now|always|often|still|just|recently|currently|usually|\p{L}{2,}(?:s|ed)|\p{L}+n't)$/u;

/** The words of names in a text, in order; `taken`: tokens of dates and numbers. */
export function listNamedWords(tokens: readonly FactToken[], taken: ReadonlySet<number>): NamedWord[] {
  return tokens.flatMap((token, at): NamedWord[] => {
    const { text, lower, isMark, opens } = token;
    if (isMark || taken.has(at) || NO_NAMES.has(lower) || isMonth(lower)) return [];
    if (MIXED.test(text) || HAS_INNER_FORM.test(text)) return [{ at, value: lower, isUnsure: false }];
    if (!CAPITAL.test(text) || STOP_WORDS.has(lower.replaceAll("'", ''))) return [];
    if (!opens) return [{ at, value: lower, isUnsure: false }];
    return isNameAtStart(tokens, at) ? [{ at, value: lower, isUnsure: true }] : [];
  });
}

function isMonth(lower: string): boolean {
  return (
    lower !== 'may' && lower !== 'april' && lower !== 'june' && MONTHS.some((month) => month.toLowerCase() === lower)
  );
}

function isNameAtStart(tokens: readonly FactToken[], at: number): boolean {
  const token = tokens[at]!;
  const next = tokens[at + 1];
  if (OPENERS.has(token.lower) || next === undefined) return false;
  // "Ana's", "Ana: …", "Ana (…", "Ana, …".
  if (token.end - token.start > token.text.length || /^[:(,]$/u.test(next.text)) return true;
  return !next.isMark && (CAPITAL.test(next.text) || FINITE.test(next.lower));
}
