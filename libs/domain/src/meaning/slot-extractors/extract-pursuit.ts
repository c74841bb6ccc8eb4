import { PAST_FORMS, readEnding, stem } from '@annals/english';
import type { Clause, SlotExtractor } from '../parse-clause.js';
import { readObject, readPhrase, type VerbPhrase } from '../read-phrase.js';
import type { Slot } from '../slot.js';

/** Statements with these words are about what is not, or not yet. */
const HEDGE =
  /\b(?:if|unless|almost|nearly|would|will|might|may|could|should|must|ought|wish(?:es)?|never|only|except|hardly)\b/u;
const SAYS_NOW = / (?:now|these days|nowadays|instead|currently)$|^(?:now|currently) /u;
const ADVERBS = /^(?:(?:now|currently|still|just|really|also|already|actually|usually) )+/u;
const PRESENT = /^(?:is|are|am|\p{Ll}+s)$/u;
const ADDS =
  /\b(?:also|as well|in addition|additionally)\b|\btoo(?=$|\s*[.,;!?]| (?:now|these days|nowadays|currently)\b)/iu;
/** Verbs that people do with one thing at a time, when they say "now". */
const ONE_AT_A_TIME = new Set(['drive', 'study', 'read', 'attend'].map(stem));
const SCHOOL = /^goes to (?:the )?(?<school>\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)(?: now)?$/u;
const COMMUTE =
  /^(?:takes? (?:the )?(?<by>bus|train|tram|subway|metro|underground|tube|ferry|car|bike) to (?:work|school|the office)|commutes? by (?<vehicle>bus|train|tram|subway|metro|car|bike|ferry))(?: now)?$/u;

/**
 * What somebody does, has or is ("plays chess", "has a balcony", "is allergic to peanuts"), so that its end finds it:
 * "stopped playing chess", "sold the boat". Of two that hold, the later one ends the earlier one only if it says "now" and
 * differs in a number, a time or a single thing.
 */
export const extractPursuit: SlotExtractor = (said) => {
  if (said.possession !== null || said.kind === 'thing') return extractEquipment(said);
  const clause = { ...said, predicate: nameOwner(said) };
  const { predicate } = clause;
  if (HEDGE.test(predicate)) return null;
  const ending = readEnding(predicate);
  if (ending) {
    // Of one of several sisters only what presupposes that she did so.
    const phrase = clause.kind === 'relative' && ending.kind === 'negation' ? null : readPhrase(ending.ended);
    const commute = COMMUTE.exec(ending.ended)?.groups;
    if (commute) return { ...oneOf(clause, 'commute', (commute['by'] ?? commute['vehicle'])!), holds: false };
    return phrase === null ? null : toSlot(clause, phrase, false);
  }
  return extractEvent(clause) ?? extractHolding(clause);
};

/** "Ana sold her horse" and "Ana sold Ana's horse" are about her own; the user's own things are never "his". */
function nameOwner({ subject, predicate }: Clause): string {
  if (subject === 'the user') return predicate;
  return predicate.replace(/\b(?:his|her|\p{Lu}[\p{L}’-]*['’]s)(?= )/gu, (owner) =>
    owner.startsWith('h') || owner.toLowerCase().slice(0, -2) === subject ? 'their' : owner,
  );
}

/** What a thing has: "the user's house has a garage". */
function extractEquipment(clause: Clause): Slot | null {
  const { possession, subject, predicate } = clause;
  if (!/^(?:has|have|no longer has|does not have)\b/u.test(predicate)) return null;
  const thing = possession === null ? subject : `${subject}'s ${possession.toLowerCase()}`;
  return extractPursuit({ ...clause, subject: thing, possession: null, kind: 'person' });
}

function extractHolding(clause: Clause): Slot | null {
  const predicate = clause.predicate.replace(ADVERBS, '');
  const [verb] = predicate.split(' ');
  if (!clause.isShared ? !PRESENT.test(verb!) || isPast(verb!) : isPast(verb!)) return null;
  const mode = SAYS_NOW.test(clause.predicate) && !addsToOthers(clause.predicate) ? 'instead' : 'beside';
  const commute = COMMUTE.exec(predicate)?.groups;
  if (commute) return { ...oneOf(clause, 'commute', (commute['by'] ?? commute['vehicle'])!), mode };
  const school = SCHOOL.exec(predicate)?.groups?.['school'];
  if (school !== undefined) return { ...oneOf(clause, 'school', school.toLowerCase()), mode };
  const phrase = readPhrase(predicate);
  const slot = phrase === null ? null : toSlot(clause, phrase, true);
  return slot === null ? null : { ...slot, mode };
}

/** "Also trains on Fridays": what was told before holds too. */
export function addsToOthers(words: string): boolean {
  return ADDS.test(words);
}

function isPast(verb: string): boolean {
  return verb === 'was' || verb === 'were' || verb.endsWith('ed') || PAST_FORMS.includes(verb);
}

function oneOf({ subject }: Clause, what: string, value: string): Slot {
  return { key: `one|${subject}|${what}`, parts: { value }, holds: true, tense: 'state' };
}

/** What these verbs are followed by is when, where or for whom: "freelances for two magazines". */
const WITHOUT_OBJECT = new Set(['freelance', 'tutor', 'smoke', 'vape', 'meditate', 'volunteer', 'commute'].map(stem));

function toSlot(clause: Clause, phrase: VerbPhrase, holds: boolean): Slot | null {
  const { by, object, value } = phrase;
  if (by === 'be' && object === '') return null;
  if (ONE_AT_A_TIME.has(by) && object !== '') return { ...oneOf(clause, by, object), holds };
  const isAlone = object === '' || WITHOUT_OBJECT.has(by);
  const tail = isAlone ? `${object} ${phrase.tail}`.trim() : phrase.tail;
  const parts = {
    by,
    who: holds && clause.isShared ? 'group' : clause.isShared ? 'self group' : 'self',
    ...(holds || tail !== '' ? { tail } : {}),
    ...(value === null ? {} : { value }),
  };
  return { key: keyOf(clause, isAlone ? by : object), parts, holds, tense: 'state' };
}

function keyOf({ subject }: Pick<Clause, 'subject'>, object: string): string {
  return `about|${subject}|${object}`;
}

const OWNING = 'have own lease keep drive ride rent use';
const toStems = (verbs: string) =>
  [...new Set(verbs.split(' '))].map((verb) => (verb.includes('-') ? verb : stem(verb))).join(' ');
/** What ends without being named as a verb: "quit tennis", "left the choir". `by` are the verbs of what is over. */
const EVENTS: readonly (readonly [pattern: RegExp, by: string])[] = [
  [
    /^(?:quit|gave up|has given up|has quit) (?<what>.+)$/u,
    'play do practice train learn take drink smoke eat use collect study be-on sing go attend write vape run have',
  ],
  [
    /^(?:left|resigned from|withdrew from|quit) (?<what>(?:the|[Tt]he user['’]s|their) .+)$/u,
    'sing play be-in be-on member attend join',
  ],
  [/^(?:has )?(?:cancell?ed|unsubscribed from|terminated|ended) (?<what>.+)$/u, 'have pay subscribe use be-on'],
  [/^(?:has )?(?:sold|gave away|donated|returned|lost|scrapped|got rid of|threw away) (?<what>.+)$/u, `${OWNING} get`],
  [/^(?:has )?(?:closed|shut down|sold) (?<what>(?:the|[Tt]he user['’]s|their) .+)$/u, 'run own manage have'],
  [/^(?:has )?(?:paid off|repaid) (?<what>.+)$/u, 'have owe pay'],
  [
    /^(?:has )?(?:finished|completed|handed in|submitted|passed|defended) (?<what>.+)$/u,
    'write read take prepare renovate train study learn build be-on',
  ],
  [/^(?:has )?broke(?:n)? up with (?<what>.+)$/u, 'date'],
  [/^(?:has )?replaced (?<what>.+?) (?:with|by) .+$/u, `${OWNING} play`],
  [/^(?:has )?(?:switched|moved|migrated|changed) from (?<what>.+?) to .+$/u, `${OWNING} play`],
];
/** Who leaves at an hour or on a day comes back. */
const LEFT_FOR_TODAY =
  /^left .* (?:(?:at|around|about|before|after|by) (?:\d|noon|midnight|lunch|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)|on (?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|today|yesterday|tonight|early|late|(?:this|last) (?:morning|afternoon|evening|night))/iu;
const CANCELLED = /\b(?:cancell?ed|called off)\b/u;
/** What can be cancelled once and still takes place on other days. */
const OCCASION =
  /(?:^| )(?:class|lesson|course|training|session|practice|rehearsal|meeting|appointment|therapy|shift|call|match|game|lecture|seminar|workshop|yoga|pilates|standup|lunch|dinner)$/u;
const DROPPED_OUT = /^(?:has )?dropped out of (?<what>.+?)(?: school)?$/u;
/** A duty is over when it is done: "needs to renew the passport", "renewed the passport". */
const DUTY = /^(?:needs|has|is supposed|ought) to (?<task>\p{Ll}+) (?<what>.+)$/u;
const DONE = /^(?:has )?(?<task>\p{Ll}{3,}ed) (?<what>.+)$/u;

/** What happened and ended something; it stays true when the thing holds again. */
function extractEvent(clause: Clause): Slot | null {
  const predicate = clause.predicate.replace(ADVERBS, '');
  const happened = (key: string, parts: Slot['parts']): Slot => ({
    key,
    parts,
    holds: false,
    tense: 'event',
    stays: true,
  });
  const dropped = DROPPED_OUT.exec(predicate)?.groups?.['what'];
  if (dropped !== undefined) {
    return happened(`one|${clause.subject}|${stem('study')}`, { value: readObject(dropped)?.object ?? '' });
  }
  if (LEFT_FOR_TODAY.test(predicate)) return null;
  const ends = EVENTS.flatMap(([pattern, by]) => {
    const thing = readObject(pattern.exec(predicate)?.groups?.['what'] ?? '');
    if (thing === null) return [];
    const isOneDay = CANCELLED.test(predicate) && OCCASION.test(thing.object);
    return [{ ...thing, tail: isOneDay ? thing.after : thing.tail, by }];
  });
  const [first] = ends;
  if (first !== undefined) {
    const by = toStems(ends.map((end) => end.by).join(' '));
    return happened(keyOf(clause, first.object), { by, ...(first.tail === '' ? {} : { tail: first.tail }) });
  }
  const duty = DUTY.exec(predicate)?.groups;
  if (duty) return toDuty(clause, duty, true);
  const done = DONE.exec(predicate)?.groups;
  return done ? toDuty(clause, done, false) : null;
}

function toDuty(clause: Clause, { task, what }: Record<string, string>, holds: boolean): Slot | null {
  const thing = readObject(what!);
  if (thing === null) return null;
  const parts = { by: 'need', task: stem(task!) };
  const slot: Slot = { key: keyOf(clause, thing.object), parts, holds, tense: holds ? 'state' : 'event' };
  return holds ? { ...slot, mode: 'beside' } : { ...slot, stays: true };
}

/** "The user's insomnia is gone", "the user's dog died", "the user's meeting with Lea is cancelled". */
const GONE =
  /^(?:(?:is|are|was|were|has been|got) (?:gone|over|cancell?ed|finished|called off|cured|healed)|(?:has |have )?(?:died|passed away|ended|expired|run out|ran out))(?: .*)?$/u;
/** A daughter who moved out is still a daughter, and a dog that is cured is still there. */
const DIED = /^(?:has |have )?(?:died|passed away)(?: .*)?$/u;
const PET_GONE = /^(?:has |have )?(?:died|passed away|run away|ran away)(?: .*)?$/u;
const MOVED_OUT = /^(?:has |have )?(?:moved out|died|passed away)(?: .*)?$/u;
const PET = /^(?:\p{L}+ )*?(?:dog|cat|puppy|kitten|hamster|parrot|rabbit|bird|budgie|horse|pony|tortoise|snake)$/u;
const LODGER = /^(?:\p{L}+ )*?(?:roommate|flatmate|housemate|tenant|lodger|subtenant)$/u;
const CANCELLED_WHEN = /(?:cancell?ed|called off)(?<when> .+)$/u;

export const extractGone: SlotExtractor = (clause) => {
  if (clause.isShared) return null;
  const relation = /^(?<owner>.+)'s (?<what>[^']+)$/u.exec(clause.subject)?.groups;
  const subject = clause.possession !== null ? clause.subject : relation?.['owner'];
  const what = clause.possession ?? relation?.['what'] ?? '';
  if (!endOf(what.toLowerCase(), clause.possession === null).test(clause.predicate)) return null;
  const thing = readObject(what);
  const when = thing && OCCASION.test(thing.object) ? CANCELLED_WHEN.exec(clause.predicate)?.groups?.['when'] : '';
  const phrase = readPhrase(`have ${what}${when ?? ''}`);
  if (subject === undefined || phrase === null || phrase.object === '') return null;
  const slot = toSlot({ ...clause, subject, possession: null }, phrase, false);
  return (
    slot && { ...slot, parts: { ...slot.parts, by: toStems('have be-on suffer keep') }, tense: 'event', stays: true }
  );
};

/** How somebody's thing, animal or relative ends. The word for a relative is first, their name may follow. */
function endOf(what: string, isRelative: boolean): RegExp {
  const named = isRelative ? what.split(' ').find((word) => PET.test(word) || LODGER.test(word)) : undefined;
  const kind = named ?? what;
  if (LODGER.test(kind)) return MOVED_OUT;
  if (PET.test(kind)) return PET_GONE;
  return isRelative ? DIED : GONE;
}
