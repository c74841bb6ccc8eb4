import { NUMBER_WORDS, splitWords, STOP_WORDS } from '@annals/english';
import { toIndexTerm } from '../lexical/to-index-term.js';
import { isPastForm } from './is-past-at.js';
import { isLimiting } from './limits.js';
import { isAdverb } from './read-turn.js';
import { listSameTerms } from './same-words.js';

/** A memory as its echoes are recognised. */
export interface EchoedStatement {
  /** Index terms of whom or what it is about; empty for the user. */
  readonly subject: readonly string[];
  /** Terms of what it says, in order, each once. */
  readonly terms: readonly StatementTerm[];
  /** How many of the terms an echo has at least. */
  readonly floor: number;
  readonly isNegated: boolean;
  /** The order of its terms carries its meaning: "tea over coffee". */
  readonly isOrdered: boolean;
  /** It says how things were, or what happened. */
  readonly isPast: boolean;
}

export interface StatementTerm {
  /** Its own index term. */
  readonly term: string;
  /** Index terms, any of which may stand for it. */
  readonly same: readonly string[];
  /** A name, a number, "rarely", or what of the user's it is about ("the user's passport"): no echo is without it. */
  readonly isRequired: boolean;
}

/** The share of a statement's terms that an echo has at least (docs/reference/recall.md#echoes). */
const FLOOR = 0.75;
/** In terms: nobody repeats a longer statement as a whole. */
const MAX_TERMS = 16;

/** Words that add nothing to what is said, as `splitWords` returns them. */
const LIGHT_WORDS = new Set(
  'named name called also again still now currently really very just actually mr mrs ms dr over than instead rather'.split(
    ' ',
  ),
);
const NEGATIONS = new Set(
  (
    'not no never nobody nothing none neither nor without hardly anymore longer stopped quit formerly ' +
    'dont doesnt didnt isnt arent wasnt werent cant cannot wont havent hasnt hadnt'
  ).split(' '),
);
const ORDERING = /\b(?:over|than|instead|rather)\b/u;

export function addsNothing(word: string): boolean {
  return LIGHT_WORDS.has(word);
}

export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

const OF_USER = /^the user(?:['’]s (?<attribute>\S.{0,59}?) (?=is\b|are\b|was\b|were\b|\p{Ll}{3,}s\b)|['’]s\b|\b)/iu;
/** What stands before the verb in the form in which memories are written. */
const SUBJECT =
  /^(?<subject>\S.{0,59}?) (?:is|are|was|were|has|have|had|likes?|loves?|hates?|prefers?|lives?|works?|plays?|owns?|moved|got|wants?|needs?|runs?|starts?|begins?|ends?|costs?|takes?|drives?|speaks?|studies|uses?|\p{Ll}{3,}(?:s|ed))\b/u;

/** Null when it has too few or too many terms for its repetition to be recognised. */
export function readStatement(content: string): EchoedStatement | null {
  const statement = content.trim();
  const ofUser = OF_USER.exec(statement);
  const subject = ofUser ? '' : (SUBJECT.exec(statement)?.groups?.['subject'] ?? '');
  if (!ofUser && subject === '') return null;
  const said = statement.slice(ofUser ? ofUser[0].length : subject.length);
  const names = new Set([...said.matchAll(/\p{Lu}[\p{L}\p{M}'’-]*/gu)].flatMap(([name]) => splitWords(name)));
  const attribute = new Set(splitWords(ofUser?.groups?.['attribute'] ?? ''));
  const words = [...attribute, ...splitWords(said)];
  const terms = new Map<string, StatementTerm>();
  for (const word of words) {
    if (STOP_WORDS.has(word) || addsNothing(word) || isNegation(word)) continue;
    const term = toIndexTerm(word);
    const isExact = names.has(word) || /\d/u.test(word) || NUMBER_WORDS.includes(word);
    terms.set(term, {
      term,
      same: isExact ? [term] : listSameTerms(term),
      isRequired: isExact || attribute.has(word) || isLimiting(word),
    });
  }
  const verb = splitWords(said).find((word) => !isAdverb(word)) ?? '';
  if (terms.size === 0 || terms.size > MAX_TERMS) return null;
  return {
    subject: splitWords(subject)
      .filter((word) => !STOP_WORDS.has(word))
      .map(toIndexTerm),
    terms: [...terms.values()],
    floor: Math.ceil(FLOOR * terms.size),
    isNegated: words.some(isNegation),
    isOrdered: ORDERING.test(said),
    isPast: isPastForm(verb),
  };
}
