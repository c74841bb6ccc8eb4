import { MONTHS } from '@annals/english';
import { isTitle } from './read-request.js';
import { isHyphenated, isSameWord, readTokensWith, type Token } from './read-tokens.js';
import {
  CandidateCounter,
  type Certainty,
  collectMentions,
  type Resolution,
  type Span,
  type Subject,
  type WalkTexts,
} from './subject.js';

/** What stands between the words of one name. */
const WITHIN_NAME = /^(?:\s+|-|\.\s*)$/u;
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const NO_NAMES: ReadonlySet<string> = new Set([
  'i',
  'im',
  'ive',
  ...MONTHS.map((month) => month.toLowerCase()),
  ...DAYS,
]);
/** What makes a name that of another thing. Not "Park" or "Hill", which are surnames. */
const PLACES = {
  before: new Set('san santa sao saint st sankt lake mount mt port fort cape'.split(' ')),
  behind: new Set('street road avenue square bridge'.split(' ')),
};
/** What has the name of something else or of itself: "Hotel Ana" beside Ana, and "Heathrow Airport" for Heathrow. */
const HOUSES: ReadonlySet<string> = new Set(
  'hotel hostel cafe restaurant airport university college hospital stadium'.split(' '),
);
const ABBREVIATIONS: ReadonlySet<string> = new Set(['st', 'mt']);
/** Whose somebody is: "my sister", and in memories "the user's sister". */
const OWNER = /^(?:my|our|your|users?['’ʼ]s?)$/iu;

/** A place where a name stands. */
export interface NameOccurrence extends Span {
  /** Further capitalised words before and behind it that belong to the name, in their normal form; '' for none. */
  readonly rest: string;
  /** The name as a whole, as it is written. */
  readonly whole: string;
  /** Those behind it alone, which may be a surname. */
  readonly surname: string;
  /** The further words make it a place, which is not Ana ("Lake Ana"), or may be what Ana names ("Hotel Ana"). */
  readonly place: 'other' | 'perhaps' | null;
  /** What the person is to the user: "my sister Ana"; null where it is not said. */
  readonly relation: string | null;
}

/**
 * Whoever or whatever has a name: all of its words in order, in their normal form and never as a part of another word
 * (docs/reference/forgetting.md#names). Ambiguous when it is the name of two: with two surnames, or of a sister and a boss.
 */
export async function resolveName(name: readonly Token[], walk: WalkTexts): Promise<Resolution> {
  const first = name.slice(0, 1);
  const byRest = new CandidateCounter();
  const byRelation = new CandidateCounter();
  const restsOfFirst = new Set<string>();
  let isSaidAlone = false;
  await walk(({ text }) => {
    const tokens = readTokensWith(text, name[0]!);
    const found = findName(tokens, name, text).filter(({ place }) => place === null);
    isSaidAlone ||= found.length > 0;
    addOnce(byRest, found, ({ rest, whole }) => (rest === '' ? null : { key: rest, text: whole }));
    addOnce(byRelation, found, ({ relation, whole }) =>
      relation === null ? null : { key: relation, text: `my ${relation} ${whole}` },
    );
    if (name.length === 1) return;
    for (const { rest, place } of findName(tokens, first, text)) {
      if (rest !== '' && place === null) restsOfFirst.add(rest);
    }
  });
  if (byRest.keys.length > 1) return { outcome: 'ambiguous', candidates: byRest.list() };
  if (byRelation.keys.length > 1) return { outcome: 'ambiguous', candidates: byRelation.list() };
  const judgeBare = name.length > 1 && name.every(({ isName }) => isName) ? createBareJudge(name, restsOfFirst) : null;
  const subject: Subject = {
    findMentions: ({ text }) => {
      const tokens = readTokensWith(text, name[0]!);
      const whole = findName(tokens, name, text).map((one) => ({ ...one, certainty: judgePlace(one, isSaidAlone) }));
      return collectMentions([...whole, ...(judgeBare?.(tokens, text) ?? [])]);
    },
  };
  return { outcome: 'found', subject };
}

/** `isSaidAlone`: the name is that of something else as well. */
export function judgePlace({ place }: NameOccurrence, isSaidAlone: boolean): Certainty {
  if (place === 'perhaps') return isSaidAlone ? 'unclear' : 'sure';
  return place === null ? 'sure' : 'other';
}

/** Counts a text once for each that it mentions. */
function addOnce(
  counter: CandidateCounter,
  found: readonly NameOccurrence[],
  describe: (occurrence: NameOccurrence) => { readonly key: string; readonly text: string } | null,
): void {
  const described = found.flatMap((one) => describe(one) ?? []);
  for (const { key, text } of new Map(described.map((one) => [one.key, one])).values()) counter.add(key, text);
}

type JudgeBare = (tokens: readonly Token[], text: string) => (Span & { readonly certainty: Certainty })[];

/** What the first word of a longer name alone means: the same, unless others have it too. `rests`: of all who have it. */
function createBareJudge(name: readonly Token[], rests: ReadonlySet<string>): JudgeBare {
  const first = name.slice(0, 1);
  const own = toKey(name.slice(1));
  const isKnown = [...rests].some((rest) => isSameKey(rest, own));
  const isAlone = isKnown && [...rests].every((rest) => isSameKey(rest, own));
  return (tokens, text) =>
    findName(tokens, first, text).flatMap((one): (Span & { certainty: Certainty })[] => {
      if (isSameKey(one.rest, own)) return [];
      return [{ ...one, certainty: one.rest !== '' ? 'other' : isAlone ? 'sure' : 'unclear' }];
    });
}

/** Where a text has a name, with the words that belong to it. */
export function findName(tokens: readonly Token[], name: readonly Token[], text: string): NameOccurrence[] {
  const found: NameOccurrence[] = [];
  for (const from of tokens.keys()) {
    const to = matchName(tokens, from, name);
    // "Anna-Maria" is not Anna.
    if (to === null || isHyphenated(tokens[from]) || isHyphenated(tokens[to + 1])) continue;
    let [first, last] = [from, to];
    while (belongsToName(tokens[last + 1]) && tokens[last + 1]!.before === ' ' && !endsPossessively(tokens[last]!))
      last += 1;
    while (first > 0 && belongsBefore(tokens[first - 1]!, tokens[first]!)) first -= 1;
    const [before, behind] = [tokens.slice(first, from), tokens.slice(to + 1, last + 1)];
    const relation = readRelation(tokens, first);
    found.push({
      start: tokens[first]!.start,
      end: tokens[last]!.end,
      rest: toKey([...before, ...behind]),
      surname: toKey(behind),
      place: relation === null ? readPlace(before, behind) : null,
      whole: text.slice(tokens[first]!.start, tokens[last]!.end),
      relation,
    });
  }
  return found;
}

/** A place is one at the beginning of a sentence, too, and with a full stop: "St. Ana". */
function belongsBefore(word: Token, next: Token): boolean {
  if (!belongsToName(word)) return false;
  if (!isOneOf(PLACES.before)(word) && !isOneOf(HOUSES)(word)) return next.before === ' ' && !word.isFirst;
  return next.before === ' ' || (next.before === '. ' && isOneOf(ABBREVIATIONS)(word));
}

function readPlace(before: readonly Token[], behind: readonly Token[]): NameOccurrence['place'] {
  if (before.some(isOneOf(PLACES.before)) || behind.some(isOneOf(PLACES.behind))) return 'other';
  return [...before, ...behind].some(isOneOf(HOUSES)) ? 'perhaps' : null;
}

const isOneOf = (words: ReadonlySet<string>) => (token: Token) => token.forms.some((form) => words.has(form));
const endsPossessively = ({ raw }: Token) => /['’ʼ]s?$/u.test(raw);

function belongsToName(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    token.isName &&
    !token.hasDigit &&
    !isTitle(token) &&
    !token.forms.some((form) => NO_NAMES.has(form))
  );
}

function matchName(tokens: readonly Token[], from: number, name: readonly Token[]): number | null {
  for (const [index, word] of name.entries()) {
    const token = tokens[from + index];
    if (!token || !isSameWord(token, word)) return null;
    if (index > 0 && !WITHIN_NAME.test(token.before)) return null;
  }
  return from + name.length - 1;
}

/** "My sister Ana", "the user's old boss Dr. Weber": the noun before a name that somebody has. */
function readRelation(tokens: readonly Token[], first: number): string | null {
  let at = first - 1;
  while (at >= 0 && isTitle(tokens[at]!)) at -= 1;
  const [noun, owner] = [tokens[at], tokens[at - 1]];
  if (!noun || !owner || noun.isName || !/^[\s,]+$/u.test(tokens[at + 1]!.before)) return null;
  return OWNER.test(owner.raw) ? (noun.forms[0] ?? null) : null;
}

/** The normal forms of words as one key, for `isSameKey`. */
export const toKey = (tokens: readonly Token[]) => tokens.map(({ forms }) => forms.join('/')).join(' ');

export function isSameKey(one: string, other: string): boolean {
  const [words, others] = [one.split(' '), other.split(' ')];
  return (
    words.length === others.length &&
    words.every((word, index) => word.split('/').some((form) => others[index]!.split('/').includes(form)))
  );
}
