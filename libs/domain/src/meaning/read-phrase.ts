import { NUMBER_WORDS, readTypedValue, splitWords, stem } from '@annals/english';

/** A verb phrase: what somebody does, to what, and when or where. Words are stems. */
export interface VerbPhrase {
  /** "play", "be-on" ("is on antibiotics"), "allerg" ("is allergic to"), "be" ("is a student"). */
  readonly by: string;
  /** "chess"; empty without one. */
  readonly object: string;
  /** "every morning", with its value masked: "at <number>"; empty without one. */
  readonly tail: string;
  /** A number of the object, or the value of the tail. */
  readonly value: string | null;
}

const PREPOSITION = '(?:in|on|at|for|with|to|into|from|by|of|about|off)';
/** Where the object ends. */
const BOUNDARY =
  / (?:in|on|at|for|with|to|from|since|because|during|after|before|by|as|until|about|every|each|once|twice|daily|weekly|monthly|per|(?:a|an|one) (?:day|week|month|year|hour)|of (?=\d|two|three|four|five|six|seven|eight|nine|ten)|named|called|when|while|over|without)\b/u;
/** At the end, and without meaning for what is done. */
const CLOSING =
  /(?: (?:now|again|these days|nowadays|lately|instead|currently|at the moment|any ?more|right now|too|either|a lot))+$/u;
/** Not "Ben's" and "his": what somebody else has is another thing. */
const DETERMINER =
  /^(?:(?:[Tt]he user['’]s|an?|the|some|any|their|its|my|our|small|little|big|large|tiny|new|own|all) )+/u;
const SEVERAL = / (?:and|or|but|than) |,/u;
const VAGUE =
  /^(?:it|that|this|them|these|those|things?|something|anything|everything|nothing|so|much|lot|there|here)\b/u;
const NUMBER = new RegExp(`^(?:\\d+(?:[.,]\\d+)*|${NUMBER_WORDS.slice(1).join('|')}) `, 'u');
const TIME_AHEAD =
  /^(?:(?:at|on|until|before|after|around|by) (?:\d|noon|midnight|mon|tue|wed|thu|fri|sat|sun|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|(?:every|each|once|twice|daily|weekly|when|while|because|since|during)\b)/iu;
const MAX_OBJECT_WORDS = 5;

/** Null for a phrase about several things, or about something that only its context names. */
export function readPhrase(phrase: string): VerbPhrase | null {
  const words = phrase.replace(CLOSING, '');
  const head = readBe(words) ?? readVerb(words);
  if (head === null || SEVERAL.test(head.rest)) return null;
  const { object, tail } = TIME_AHEAD.test(head.rest) ? { object: '', tail: head.rest } : cutObject(head.rest);
  const number = NUMBER.exec(object.toLowerCase())?.[0].trim() ?? null;
  const stems = toStems(number === null ? object : object.slice(number.length));
  if (stems.length > MAX_OBJECT_WORDS || VAGUE.test(object.toLowerCase())) return null;
  const time = readTypedValue(tail);
  const value = number ?? time?.value ?? null;
  return {
    by: head.by,
    object: stems.join(' '),
    tail: number === null && time ? time.frame : tail.toLowerCase(),
    value,
  };
}

/** Where something is; when and to whom it went does not tell which one it was. */
const PLACE_TAIL = /^(?:in|from|at|of) /u;

/**
 * The things that a noun phrase names, without articles: "the user's gym membership" is "gym membership". `tail`: a place
 * behind it, which tells which one; empty without one. `after`: all that follows, also when and with whom.
 */
export function readObject(
  words: string,
): { readonly object: string; readonly tail: string; readonly after: string } | null {
  const { object, tail } = cutObject(words.replace(CLOSING, ''));
  const stems = toStems(object);
  const isClear = !SEVERAL.test(words) && !VAGUE.test(object.toLowerCase());
  if (!isClear || stems.length === 0 || stems.length > MAX_OBJECT_WORDS) return null;
  const isPlace = PLACE_TAIL.test(tail) && !/<(?:date|number|time)>/u.test(readTypedValue(tail)?.frame ?? '');
  return { object: stems.join(' '), tail: isPlace ? tail.toLowerCase() : '', after: tail.toLowerCase() };
}

function cutObject(rest: string): { object: string; tail: string } {
  const cut = ` ${rest}`.search(BOUNDARY);
  const [object, tail] = cut < 0 ? [rest, ''] : [rest.slice(0, Math.max(0, cut - 1)), rest.slice(cut)];
  return { object: object.replace(DETERMINER, ''), tail: tail.trim() };
}

interface PhraseHead {
  readonly by: string;
  readonly rest: string;
}

const BE = /^(?:be|is|are|am|been) (?:(?:now|still|currently|really|also|very|so) )*/u;
const BEING = new RegExp(`^(?<ing>\\p{Ll}{2,}ing)(?: ${PREPOSITION}(?= (?!\\d)))?(?: (?<rest>.+))?$`, 'u');
const BE_PLACED = /^(?<where>on|in|into|off|at) (?<rest>.+)$/u;
const BE_OF = new RegExp(
  `^(?:an? )?(?:\\p{Ll}+ ){0,2}?(?<what>\\p{Ll}+) (?:to|with|of|by|for|about) (?<rest>.+)$`,
  'u',
);

function readBe(words: string): PhraseHead | null {
  const be = BE.exec(words);
  if (!be) return null;
  const rest = words.slice(be[0].length);
  const being = BEING.exec(rest)?.groups;
  if (being) return { by: stem(being['ing']!), rest: being['rest'] ?? '' };
  const placed = BE_PLACED.exec(rest)?.groups;
  if (placed) return { by: `be-${placed['where']}`, rest: placed['rest']! };
  const related = BE_OF.exec(rest)?.groups;
  if (related) return { by: stem(related['what']!), rest: related['rest']! };
  return { by: 'be', rest };
}

const IRREGULAR: Readonly<Record<string, string>> = {
  has: 'have',
  had: 'have',
  having: 'have',
  goes: 'go',
  does: 'do',
};
const VERB = /^(?<verb>\p{Ll}[\p{Ll}-]*)(?: (?<particle>up|out|down|back|away|off)\b)?(?: (?<rest>.+))?$/u;
const LEADING_PREPOSITION = new RegExp(`^${PREPOSITION} `, 'u');

function readVerb(words: string): PhraseHead | null {
  const groups = VERB.exec(words)?.groups;
  if (!groups) return null;
  const verb = IRREGULAR[groups['verb']!] ?? stem(groups['verb']!);
  const rest = groups['rest'] ?? '';
  const isTime = TIME_AHEAD.test(rest);
  const particle = groups['particle'] === undefined ? '' : `-${groups['particle']}`;
  return { by: `${verb}${particle}`, rest: isTime ? rest : rest.replace(LEADING_PREPOSITION, '') };
}

/** Singular nouns; a stem would make a garden of a gardener. */
function toStems(words: string): string[] {
  return splitWords(words)
    .filter((word) => word !== '')
    .map((word) =>
      word
        .replace(/(?<=\p{L}{2})ies$/u, 'y')
        .replace(/(?<=(?:ss|x|ch|sh))es$/u, '')
        .replace(/(?<=\p{L}{2}[^su])s$/u, ''),
    );
}
