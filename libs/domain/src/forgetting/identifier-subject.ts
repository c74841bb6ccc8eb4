import { foldIdentifier, mayContain } from './fold-word.js';
import { type ForgetRequest, foldNoun, isFiller, NOUNS } from './read-request.js';
import { readTokens, type Token } from './read-tokens.js';
import {
  CandidateCounter,
  type Certainty,
  collectMentions,
  type Resolution,
  type Span,
  type Subject,
  type WalkTexts,
} from './subject.js';

/** What joins two parts of one identifier without a space, so that neither is one alone: "4711-2", "AB/4711". */
const TIGHT = /^[-–—_/.:]$/u;
const JOINING = /^(?:[-–—_/.:]|\s|\s?[-–—]\s?)$/u;
const LETTER_CODE = /^\p{Lu}{1,4}$/u;
const DIGITS = /^\p{N}{3,}$/u;
const POSSESSIVE = /'s/iu;
const BEFORE_NUMBER = /^[\s#:.№]*$/u;

/** Behind a number that is an amount, and so nobody's identifier. */
const UNITS: ReadonlySet<string> = new Set(
  (
    'euro euros eur dollar dollars usd cent cents pound pounds gbp franc francs chf yen km kilometre kilometres kilometer ' +
    'kilometers mile miles metre metres meter meters m cm mm kg kilo kilos gram grams g lb lbs litre litres liter liters ' +
    'tons tonnes bucks zl zloty rupees pesos percent degrees people persons steps calories kcal times ' +
    'seconds minute minutes hour hours day days week weeks month months year years'
  ).split(' '),
);
const CURRENCY_BEFORE = /\p{Sc}\s?$/u;
const SIGN_BEHIND = /^\s?[%‰°\p{Sc}]/u;
/** Between a number and what it is said to be: "the repair was 4711 euros". */
const LINKS: ReadonlySet<string> = new Set(['is', 'was', 'a', 'an']);

interface Occurrence extends Span {
  readonly noun: string | null;
  readonly isAmount: boolean;
}

type IdentifierRequest = Extract<ForgetRequest, { kind: 'identifier' }>;

/**
 * A number or code, exactly and as a whole: in any case and with any separators, but never as a part of a longer one
 * (docs/reference/forgetting.md#identifiers). Ambiguous when it is the number of two kinds of things and none is named.
 */
export async function resolveIdentifier({ id, noun }: IdentifierRequest, walk: WalkTexts): Promise<Resolution> {
  const kinds = new CandidateCounter();
  await walk(({ text }) => {
    for (const kind of new Set(findIdentifier(text, id, noun).map(({ noun: said }) => said))) {
      if (kind !== null) kinds.add(kind, `${kind} ${id}`);
    }
  });
  const { keys } = kinds;
  const asked = noun !== null && (NOUNS.has(noun) || keys.includes(noun)) ? noun : null;
  if (asked === null && keys.length > 1) return { outcome: 'ambiguous', candidates: kinds.list() };
  const hasOthers = keys.some((kind) => kind !== asked);
  const judge = ({ noun: kind, isAmount }: Occurrence): Certainty => {
    if (isAmount) return 'other';
    if (asked === null || kind === asked) return 'sure';
    return kind === null ? (hasOthers ? 'unclear' : 'sure') : 'other';
  };
  const subject: Subject = {
    findMentions: ({ text }) =>
      collectMentions(findIdentifier(text, id, noun).map((found) => ({ ...found, certainty: judge(found) }))),
  };
  return { outcome: 'found', subject };
}

/** Where a text has an identifier as a whole. `asked`: a further noun that may be its kind. */
function findIdentifier(text: string, id: string, asked: string | null): Occurrence[] {
  // A possessive is no part of a word's normal form, and may stand between two parts of an identifier.
  if (!mayContain(text, [id]) && !POSSESSIVE.test(text)) return [];
  const tokens = readTokens(text);
  const found: Occurrence[] = [];
  for (const from of tokens.keys()) {
    const to = matchParts(tokens, from, id);
    if (to === null || continuesBefore(tokens, from) || continuesBehind(tokens, to)) continue;
    const [{ noun, isLinked }, { end }] = [readNoun(tokens, from, asked), tokens[to]!];
    const isAmount =
      /^\d+$/u.test(id) &&
      (noun === null || isLinked) &&
      (CURRENCY_BEFORE.test(tokens[from]!.before) || hasUnit(tokens[to + 1], text, end));
    found.push({ start: tokens[from]!.start, end, noun: isAmount ? null : noun, isAmount });
  }
  return found;
}

/** The last of the tokens that make up the identifier, from one on; null when they do not. */
function matchParts(tokens: readonly Token[], from: number, id: string): number | null {
  let parts = '';
  for (let at = from; at < tokens.length; at += 1) {
    if (at > from && !JOINING.test(tokens[at]!.before)) return null;
    const part = foldIdentifier(tokens[at]!.raw);
    parts += part;
    if (parts === id) return at;
    if (part === '' || !id.startsWith(parts)) return null;
  }
  return null;
}

const isKind = (token: Token) => isFiller(token) || NOUNS.has(foldNoun(token));

function continuesBefore(tokens: readonly Token[], from: number): boolean {
  const [before, first] = [tokens[from - 1], tokens[from]!];
  if (!before) return false;
  if (TIGHT.test(first.before) || isDecimal(before, first)) return true;
  if (!/^\s$/u.test(first.before)) return false;
  const isCode = first.hasDigit && !/^\p{L}/u.test(first.raw) && LETTER_CODE.test(before.raw) && !isKind(before);
  return (isCode && !before.isFirst) || (DIGITS.test(before.raw) && DIGITS.test(first.raw));
}

function continuesBehind(tokens: readonly Token[], to: number): boolean {
  const [last, behind] = [tokens[to]!, tokens[to + 1]];
  if (!behind) return false;
  if (TIGHT.test(behind.before) || isDecimal(last, behind)) return true;
  return /^\s$/u.test(behind.before) && DIGITS.test(last.raw) && DIGITS.test(behind.raw);
}

/** "4711,50", and "4,711". */
function isDecimal(one: Token, next: Token): boolean {
  return next.before === ',' && /\d$/u.test(one.raw) && /^\d/u.test(next.raw);
}

function hasUnit(behind: Token | undefined, text: string, end: number): boolean {
  if (SIGN_BEHIND.test(text.slice(end, end + 2))) return true;
  return behind !== undefined && /^\s$/u.test(behind.before) && behind.forms.some((form) => UNITS.has(form));
}

/** The kind before a number, and whether it is only said to be its own: "the invoice is 4711". */
function readNoun(
  tokens: readonly Token[],
  from: number,
  asked: string | null,
): { readonly noun: string | null; readonly isLinked: boolean } {
  let isLinked = false;
  for (let at = from; at > 0 && BEFORE_NUMBER.test(tokens[at]!.before); at -= 1) {
    const before = tokens[at - 1]!;
    if (isFiller(before)) {
      isLinked ||= before.forms.some((form) => LINKS.has(form));
      continue;
    }
    const noun = foldNoun(before);
    return { noun: NOUNS.has(noun) || noun === asked ? noun : null, isLinked };
  }
  return { noun: null, isLinked };
}
