import { NUMBER_WORDS } from '@annals/english';
import { ADVERBS, type Clause, isOneOfSeveral, type SlotExtractor } from '../parse-clause.js';
import type { Slot } from '../slot.js';

const NUMBER = `\\d{1,3}|${NUMBER_WORDS.join('|')}`;

const AGE = new RegExp(
  `^(?:is ${ADVERBS}|turned |has turned )(?<value>\\d{1,3})(?: years old)?(?: (?:on|in|this|last|yesterday|today|now)\\b.*)?$`,
  'u',
);
const WEIGHT = new RegExp(
  `^${ADVERBS}weighs ${ADVERBS}(?:about |around )?(?<value>\\d{2,3}(?:[.,]\\d)? ?(?:kg|kilos?|kilograms?|lbs?|pounds))(?: now)?$`,
  'u',
);
const MARITAL = new RegExp(
  `^(?:is ${ADVERBS}|got |has gotten |became )(?<value>single|married|engaged|divorced|widowed)(?: (?:now|again|to|with|on|in|last|this|since)\\b.*)?$`,
  'u',
);
const NOT_MARITAL = /^is (?:no longer|not) (?<value>single|married|engaged)(?: anymore| to .+)?$/u;
const DIET = new RegExp(
  `^(?:is|became|has become|turned|went)(?<not> not| no longer)? ${ADVERBS}(?:an? )?(?<value>vegan|vegetarian|pescatarian)(?: (?:now|again|anymore|since\\b.*))?$`,
  'u',
);
/** Things whose number is a lasting fact about a person, unlike appointments. */
const COUNT = new RegExp(
  `^${ADVERBS}has ${ADVERBS}(?<value>${NUMBER}) (?<what>children|kids|sons|daughters|brothers|sisters|siblings|grandchildren|cats|dogs|pets|cars|bikes|houses)(?: now)?$`,
  'u',
);
const NAME_OF = /^(?:(?:full|first|last|middle|preferred) )?name$/u;
const FAVOURITE = /^favou?rite (?<what>\p{L}[\p{L} -]*)$/u;
const IS_VALUE = /^is (?:now )?(?<value>.+?)(?: now)?$/u;

/** A person's age. "Turned" is an event at its date. */
export const extractAge: SlotExtractor = (clause) => extractOwnAttribute(clause, 'age', AGE, /^(?:turned|has turned)/u);
export const extractWeight: SlotExtractor = (clause) => extractOwnAttribute(clause, 'weight', WEIGHT);
export const extractMaritalStatus: SlotExtractor = (clause) => {
  const over = isPlain(clause) ? NOT_MARITAL.exec(clause.predicate)?.groups?.['value'] : undefined;
  if (over === undefined) return extractOwnAttribute(clause, 'marital', MARITAL, /^(?:got|has|became)/u);
  return { key: `marital|${clause.subject}`, parts: { value: over }, holds: false, tense: 'state' };
};

export const extractDiet: SlotExtractor = (clause) => {
  const groups = isPlain(clause) ? DIET.exec(clause.predicate)?.groups : undefined;
  if (!groups) return null;
  const holds = groups['not'] === undefined;
  return { key: `diet|${clause.subject}`, parts: { value: groups['value']! }, holds, tense: 'state' };
};

/**
 * Of children, cats and the like, when surely the same are counted (docs/reference/truth-and-time.md#counts-as-slots).
 */
export const extractCount: SlotExtractor = (clause) => {
  const groups = isPlain(clause) ? COUNT.exec(clause.predicate)?.groups : undefined;
  if (!groups) return null;
  const what = groups['what'] === 'kids' ? 'children' : groups['what']!;
  const number = NUMBER_WORDS.indexOf(groups['value']!);
  const value = number < 0 ? groups['value']! : String(number);
  return { key: `count|${clause.subject}|${what}`, parts: { value }, holds: true, tense: 'state' };
};

/** "The user's name is Ana", "The user's favorite color is blue". */
export const extractPossession: SlotExtractor = ({ subject, possession, predicate, isShared }) => {
  const value = IS_VALUE.exec(predicate)?.groups?.['value']?.toLowerCase();
  if (possession === null || isShared || value === undefined || / (?:and|or|but) |,|^one of|^not /u.test(value)) {
    return null;
  }
  const favourite = FAVOURITE.exec(possession)?.groups?.['what']?.replace('colour', 'color');
  const key =
    favourite !== undefined
      ? `favourite|${subject}|${favourite}`
      : NAME_OF.test(possession)
        ? `${possession}|${subject}`
        : null;
  return key === null
    ? null
    : { key, parts: { value: value.replace(/^(?:the|an?) /u, '') }, holds: true, tense: 'state' };
};

function extractOwnAttribute(clause: Clause, name: string, pattern: RegExp, event?: RegExp): Slot | null {
  const value = isPlain(clause) ? pattern.exec(clause.predicate)?.groups?.['value'] : undefined;
  if (value === undefined) return null;
  const tense = event?.test(clause.predicate) ? 'event' : 'state';
  return { key: `${name}|${clause.subject}`, parts: { value: value.toLowerCase() }, holds: true, tense };
}

function isPlain(clause: Clause): boolean {
  return clause.possession === null && !clause.isShared && !isOneOfSeveral(clause);
}
