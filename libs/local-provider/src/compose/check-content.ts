import type { Token } from '../clauses/tag-clause.js';
import { isContentNoun } from '../clauses/tag-clause.js';

/** One memory is at most 280 characters (docs/reference/writing-constraints.md#length-limits). */
export const MAX_CONTENT_LENGTH = 280;
const MIN_WORDS = 3;

const LISTENER = /\b(?:you|your|yours|yourself|yourselves|ya|y'all|u|ur|let's)\b/i;
const FIRST_PERSON =
  /(?<![\p{L}\d'’-])(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|us|[Oo]urs?|[Oo]urselves|I['’]\p{L}+|MY|ME|WE|OUR)(?![\p{L}\d-])/u;
const PLACEHOLDER = /\[(?:redacted [^\]]*|(?:email|phone|card|iban|national id|ip|secret) [0-9a-f]{16})\]/gi;
const IDENTIFIER =
  /\b(?:e-?mail|phone|number|card|account|address|iban|password|passcode|key|token|secret|ssn|ip|contact|id|reach|call|text|whatsapp)\b[^.]*\[(?:redacted |(?:email|phone|card|iban|national id|ip|secret) [0-9a-f]{16}\])/i;

const INTRODUCING = new Set('a an my our another one'.split(' '));
const HANGING_END =
  /\b(?:a few|some|one|ones|more|another|other|others|same|the|a|an|and|or|of|to|with|for|their|such|like|than|because|when|while|so|but|there|here)\.$/i;
const ONE_PERSON = new Set('he she him her his hers'.split(' '));
const SEVERAL = new Set('they them their theirs'.split(' '));
const POINTING = new Set('this these those that'.split(' '));
const PRONOUN_OR_ARTICLE = new Set(
  'i my we our the a an he she they it his her their is are was were has have had'.split(' '),
);

/** True when the clause speaks to somebody present instead of telling about the speaker. */
export function addressesListener(text: string): boolean {
  return LISTENER.test(text);
}

/** "My email is [email 7f3a9c21d04be5f8]": the fact itself is gone (docs/reference/privacy.md#placeholders). */
export function isOnlyPlaceholder(text: string): boolean {
  const others = text.replaceAll(PLACEHOLDER, '');
  if (others === text) return false;
  return IDENTIFIER.test(text) || others.trim().split(/\s+/).length < 5;
}

/** True when a word points outside the clause: "I took it to the shop", "I love that one". */
export function hasDanglingReference(predicate: readonly Token[], personNamed: boolean): boolean {
  const named = { thing: personNamed, person: personNamed, several: personNamed, any: personNamed };
  return predicate.some((token, index) => {
    const { lower, tags } = token;
    if (lower === 'it' || lower === 'its') {
      if (!named.thing && !isDummyIt(predicate, index)) return true;
    } else if (ONE_PERSON.has(lower)) {
      if (!named.person) return true;
    } else if (SEVERAL.has(lower)) {
      if (!named.several) return true;
    } else if (POINTING.has(lower)) {
      if (pointsOutside(predicate, index)) return true;
    } else if ((lower === 'here' || lower === 'there') && !named.any) {
      return true;
    } else if (isContentNoun(token) && !tags.has('Gerund')) {
      named.any = true;
      named.several ||= tags.has('Plural');
      named.person ||= tags.has('Person') || tags.has('Actor');
      named.thing ||= tags.has('ProperNoun') || isIntroduced(predicate, index);
    }
    return false;
  });
}

/** "it" can only mean a thing the clause brought in ("a bike", "my old car"), not any noun on the way. */
function isIntroduced(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(Math.max(0, index - 3), index).some(({ lower }) => INTRODUCING.has(lower));
}

function isDummyIt(tokens: readonly Token[], index: number): boolean {
  return (
    tokens[index]!.lower === 'it' && /^(?:is|was|will|takes|took|rains?|snow)/.test(tokens[index + 1]?.lower ?? '')
  );
}

/** "that" may also open a clause ("the bike that I bought", "glad that my sister …"). */
function pointsOutside(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  if (tokens[index]!.lower !== 'that')
    return !next || !/^(?:year|month|week|morning|summer|winter|spring|fall)$/.test(next.lower);
  if (!next) return true;
  if (PRONOUN_OR_ARTICLE.has(next.lower) || next.tags.has('Verb')) return index === 0;
  const before = tokens[index - 1];
  return !before || before.tags.has('Verb') || before.tags.has('Preposition') || before.tags.has('Conjunction');
}

/** What a finished memory has to be: whole, short, and about somebody instead of by somebody. */
export function isWellFormed(content: string): boolean {
  return (
    content.length <= MAX_CONTENT_LENGTH &&
    content.split(' ').length >= MIN_WORDS &&
    !FIRST_PERSON.test(content) &&
    !HANGING_END.test(content) &&
    content.isWellFormed()
  );
}
