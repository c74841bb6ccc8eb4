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
export const extractPursuit: SlotExtractor = (clause) => {
  if (clause.possession !== null || clause.kind === 'thing') return extractEquipment(clause);
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
  const mode = SAYS_NOW.test(clause.predicate) ? 'instead' : 'beside';
  const commute = COMMUTE.exec(predicate)?.groups;
  if (commute) return { ...oneOf(clause, 'commute', (commute['by'] ?? commute['vehicle'])!), mode };
  const school = SCHOOL.exec(predicate)?.groups?.['school'];
  if (school !== undefined) return { ...oneOf(clause, 'school', school.toLowerCase()), mode };
  const phrase = readPhrase(predicate);
  const slot = phrase === null ? null : toSlot(clause, phrase, true);
  return slot === null ? null : { ...slot, mode };
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
    'sing play be-in be-on member go attend join',
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
  const ends = EVENTS.flatMap(([pattern, by]) => {
    const thing = readObject(pattern.exec(predicate)?.groups?.['what'] ?? '');
    return thing === null ? [] : [{ ...thing, by }];
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
  /^(?:(?:is|are|was|were|has been|got) (?:gone|over|cancell?ed|finished|called off|cured|healed)|(?:has |have )?(?:died|passed away|ended|expired|run out|ran out|moved out|run away|ran away))(?: .*)?$/u;

export const extractGone: SlotExtractor = (clause) => {
  if (clause.isShared || !GONE.test(clause.predicate)) return null;
  const relation = /^(?<owner>.+)'s (?<what>[^']+)$/u.exec(clause.subject)?.groups;
  const subject = clause.possession !== null ? clause.subject : relation?.['owner'];
  const phrase = readPhrase(`have ${clause.possession ?? relation?.['what'] ?? ''}`);
  if (subject === undefined || phrase === null || phrase.object === '') return null;
  const slot = toSlot({ ...clause, subject, possession: null }, phrase, false);
  return (
    slot && { ...slot, parts: { ...slot.parts, by: toStems('have be-on suffer keep') }, tense: 'event', stays: true }
  );
};
