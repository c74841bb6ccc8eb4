import { readTypedValue, type TypedValue } from '@annals/english';
import { type Clause, isOneOfSeveral, type SlotExtractor } from '../parse-clause.js';
import type { Slot } from '../slot.js';

/** Nouns of which one has several at a time, so that a second value says nothing about the first. */
const SEVERAL =
  /\b(?:hobby|hobbies|interests?|languages|skills?|books?|songs?|movies?|films?|pets?|students?|clients?|customers?|ideas?|problems?|meetings?|appointments?|flights?|trips?|goals?|plans?|photos?|friends|colleagues|siblings|parents|kids|children|sisters|brothers|family|names)$/u;
/** With a word before it, one of several is one: "the user's dentist appointment". */
const IS_NAMED_ONE = /^(?:team|board|weekly|daily|dentist|doctor's|project|main|return|next|staff|sales)\b/u;
const USUAL = /^(?:flight|goal|trip)$/u;

/** Attributes whose value is a plain word: "the user's major is history". */
const WORD_ATTRIBUTE =
  /(?:^|\s)(?:major|minor|job title|title|usual order|usual drink|topic|subject|default branch|branch|main language|occupation|profession|religion|nationality|status|favou?rite \p{L}+|dish|colou?r|breakfast|specialty)$/u;
const PLAIN_WORDS = /^\p{Ll}[\p{Ll}-]*(?: \p{Ll}[\p{Ll}-]*){0,2}$/u;
const NO_WORD =
  /^(?:very|so|too|quite|really|a bit|still|not|always|never|great|good|bad|nice|fine|hard|easy|boring|fun|difficult|important|unclear|unknown|undecided|open|closed|here|there)\b/u;

const TAIL = /(?: (?:now|these days|nowadays|currently|at the moment|again|instead)|,? (?:since|because|as) .*)+$/u;
const LEAD =
  /^(?<verb>is|are|has|runs|starts|begins|ends|comes|covers|costs|opens|closes|takes place|lasts|meets) (?:(?:now|still|currently|actually) )*/u;
/** "Got moved to 19 July": the day on which it is now. */
const RESCHEDULED =
  /^(?:got|was|has been|is) (?:(?:now|just) )?(?:moved|rescheduled|postponed|brought forward|pushed(?: back)?)(?: back)? to /u;
const RENAMED = /^(?:is )?(?:called|named) /u;
const NOT_INSTEAD = /,? (?:and )?not .*$/u;

/**
 * The value of an attribute of a person ("the user's rent is 900 euros") or a thing ("the staging server is eu-3"): dates,
 * times, numbers, colours, names and identifiers. Plain words only for a few attributes: "is slow today" is no value.
 */
export const extractAttributeValue: SlotExtractor = (clause) => {
  const relation = ONE_RELATION.exec(clause.subject)?.groups;
  const told = relation ? { ...clause, subject: relation['owner']!, possession: relation['relation']! } : clause;
  const owner = findOwner(told);
  if (owner === null) return findNewValue(clause);
  if (relation && !/^is (?:now )?\p{Lu}/u.test(clause.predicate)) return null;
  if (isOneOfSeveral({ ...clause, predicate: clause.predicate.replace(TAIL, '') })) return null;
  const typed = readValue(clause.predicate, owner.attribute);
  if (typed === null) return null;
  return { key: owner.key, frame: typed.frame, parts: { value: typed.value }, holds: true, tense: 'state' };
};

interface Owner {
  readonly key: string;
  readonly attribute: string;
}

/** "The user has a new therapist named Karim", "the user changed the user's thesis topic to rivers". */
const NEW_VALUE =
  /^(?:has an? new (?<role>[\p{L} -]+?) (?:named|called)|(?:has )?changed (?:[Tt]he user['’]s|their|his|her) (?<attribute>[\p{L} -]+?) to) (?<value>.+)$/u;

function findNewValue({ subject, predicate, possession, isShared }: Clause): Slot | null {
  const groups = possession === null && !isShared ? NEW_VALUE.exec(predicate)?.groups : undefined;
  if (!groups) return null;
  const attribute = (groups['role'] ?? groups['attribute'])!.toLowerCase();
  const owner = findOwner({ subject, predicate, possession: attribute, isShared: false, kind: 'person' });
  const typed = owner === null ? null : readValue(`is ${groups['value']!}`, attribute);
  if (owner === null || typed === null) return null;
  return { key: owner.key, frame: typed.frame, parts: { value: typed.value }, holds: true, tense: 'event' };
}

/** The one of whom somebody has one at a time, told by name: "Ana's husband is Luis". */
const ONE_RELATION = /^(?<owner>.+)'s (?<relation>husband|wife|girlfriend|boyfriend|fianc[ée]e?|boss)$/u;

function findOwner({ subject, possession, isShared, kind }: Clause): Owner | null {
  if (isShared) return null;
  if (possession === null && kind !== 'thing') return null;
  const attribute = (possession ?? subject.slice('the '.length))
    .toLowerCase()
    .replace(/^(?:new|current|present) /u, '')
    .replaceAll('favourite', 'favorite');
  const [head] = attribute.split(/ (?:for|of|with) /u);
  const isMany = SEVERAL.test(head!) && !IS_NAMED_ONE.test(attribute) && !USUAL.test(head!);
  if (isMany || /\b(?:old|former|previous|ex|other|second|first) /u.test(attribute)) return null;
  return { key: `attribute|${possession === null ? 'the' : subject}|${attribute}`, attribute };
}

function readValue(predicate: string, attribute: string): TypedValue | null {
  const words = predicate.replace(TAIL, '').replace(NOT_INSTEAD, '').replace(RESCHEDULED, 'is on ');
  const verb = LEAD.exec(words);
  if (!verb || / (?:and|or|but|if|when) /u.test(words)) return null;
  const rest = words.slice(verb[0].length).replace(RENAMED, '');
  const plain = rest.replace(/^(?:an?|the) /u, '');
  if (WORD_ATTRIBUTE.test(attribute) && !NO_WORD.test(plain) && PLAIN_WORDS.test(plain)) {
    return { frame: 'is <name>', value: plain };
  }
  const typed = readTypedValue(rest);
  return typed !== null && isShort(typed) ? { ...typed, frame: `${verb.groups!['verb']} ${typed.frame}` } : null;
}

const MAX_FRAME_WORDS = 7;

/** A long statement is about more than its last word. */
function isShort({ frame }: TypedValue): boolean {
  return frame.split(' ').length <= MAX_FRAME_WORDS;
}

/** States of things with one contrary: whether it is the first of the two. */
const CONTRARIES: readonly (readonly [dimension: string, is: RegExp, isNot: RegExp])[] = [
  ['up', /^(?:back )?(?:up|online|running|available)(?: again)?$/u, /^(?:down|offline|unavailable)$/u],
  ['working', /^(?:fixed|repaired|working|green|whole)(?: again)?$/u, /^(?:broken|not working|failing|red)$/u],
];

/** "The build is broken", "the build is fixed". */
export const extractCondition: SlotExtractor = (clause) => {
  const owner = findOwner(clause);
  const state = /^(?:is|are) (?:(?:now|currently|finally) )*(?<state>.+?)(?: now)?$/u.exec(clause.predicate)?.groups?.[
    'state'
  ];
  if (owner === null || state === undefined) return null;
  for (const [dimension, is, isNot] of CONTRARIES) {
    const holds = is.test(state);
    if (!holds && !isNot.test(state)) continue;
    return { key: `${owner.key}|${dimension}`, parts: { is: dimension }, holds, tense: 'state' } satisfies Slot;
  }
  return null;
};
