import type { IntroducedPeople } from './introduce-people.js';
import { readNamedSubject } from './named-subject.js';

export type SubjectKind = 'self' | 'group' | 'own';

/**
 * A clause cut into its subject and what is said of it. `self`: the speaker; `group`: the speaker and others, named in
 * `phrase` where known; `own`: somebody or something of the speaker's, `phrase` as said ("my sister Anna").
 */
export interface Clause {
  kind: SubjectKind;
  phrase: string;
  predicate: string;
  /** True when the speaker left the subject out ("Went to Rome yesterday"). */
  elided: boolean;
}

const ONE_PERSON = String.raw`(?:[Mm]y (?:[\w'-]+ ){0,2}?[\w'-]+|\p{Lu}[\p{L}'-]+)`;
const PERSON_PHRASE = String.raw`${ONE_PERSON}(?:(?:, | and )${ONE_PERSON})?`;
/** "Cardamom is my favorite spice": the speaker's own, said the other way round. */
const IS_MINE =
  /^(?<phrase>(?!(?:it|that|this|these|those|he|she|they|here|there|what|which|one|I)\b)[\p{L}'-]+(?: [\p{L}'-]+){0,3}) (?=(?:is|are|was) (?:definitely |probably |still |also |always |both )?(?:one of )?my\b)/iu;
const WITH_OTHERS = new RegExp(
  String.raw`^(?:(?<first>${PERSON_PHRASE}),? and (?:I|me)|(?:I|Me|me) and (?<second>${PERSON_PHRASE}))(?= (?!and\b))`,
  'u',
);
const SELF = /^I(?: myself)?\s+(?=\S)/;
const GROUP = /^[Ww]e(?: all| both)?\s+(?=\S)/;
const THIRD = /^(?<who>[Hh]e|[Ss]he)\s+(?=\S)/;
const OWN_VERB = String.raw`(?:no longer|quit|is|are|was|were|has|have|had|does|do|did|will|can|can not|just|also|always|still|recently|often|usually|never|really|absolutely|currently|loves?|likes?|hates?|enjoys?|prefers?|lives?|works?|plays?|teaches|studies|went|came|got|gave|made|took|told|helped|started|turned|moved|called|passed|died|bought|owns?|runs?|sings?|wants?|needs?|broke|won|lost|left|visited|grew|graduated|taught|retired|introduced|inspired|adopted|married|goes|gets|finished|joined|opened|became|makes|keeps|starts|ends|begins|leaves|departs|arrives|lands|expires|means|costs|helps|sounds|feels|[a-z]{3,}ed)`;
const OWN = new RegExp(String.raw`^(?<phrase>(?:[Mm]y|[Oo]ur) (?:[\p{L}\d'&-]+,? ){1,5}?)(?=${OWN_VERB}\b)`, 'u');
const ELIDED_PAST =
  /^(?:just |finally |recently |already )?(?:went|got|bought|visited|started|finished|took|met|ran|signed|moved|adopted|joined|learned|learnt|won|lost|celebrated|attended|painted|hiked|cooked|baked|completed|booked|passed|graduated|began|quit|made|spent|wrote|read|watched|played|saw|had|tried|found|came|returned|planted|built|hosted|volunteered|organized|applied)\b/i;
const ELIDED_PROGRESSIVE =
  /^(?:just |still |currently |also )?(?:going to (?!be\b)\w+|planning|hoping|trying|working|learning|looking forward|saving|training|studying|thinking (?:of|about)|taking|starting|preparing|considering)\b/i;
/** "Learning to swim is fun" tells of swimming, not of who learns. */
const GERUND_AS_SUBJECT =
  /\b(?:is|was|are|were|has|helps?|helped|makes?|made|gives?|gave|takes|keeps|brings?|feels?|seems|can|will|would)\b/i;
const ELIDED_PERFECT = /^(?:just |also )?been \w+ing\b/i;

export function parseClause(text: string, introduced: IntroducedPeople | undefined): Clause | undefined {
  const cut = (kind: SubjectKind, phrase: string, [subject]: RegExpExecArray): Clause => {
    return { kind, phrase, predicate: text.slice(subject.length).trim(), elided: false };
  };
  const others = WITH_OTHERS.exec(text);
  if (others?.groups) return cut('group', others.groups['first'] ?? others.groups['second'] ?? '', others);
  const self = SELF.exec(text);
  if (self) return cut('self', '', self);
  const group = GROUP.exec(text);
  if (group) return cut('group', introduced?.companions ?? '', group);
  const own = OWN.exec(text);
  if (own?.groups) return cut('own', own.groups['phrase']!.trim().replace(/^our\b/i, 'my'), own);
  const third = THIRD.exec(text);
  if (third?.groups) {
    const phrase = findIntroduced(third.groups['who']!, introduced);
    return phrase === undefined ? undefined : cut('own', phrase, third);
  }
  const isMine = IS_MINE.exec(text);
  if (isMine?.groups) return cut('own', isMine.groups['phrase']!, isMine);
  const named = readNamedSubject(text);
  return named ? { kind: 'own', ...named, elided: false } : readElided(text);
}

function findIntroduced(pronoun: string, introduced: IntroducedPeople | undefined): string | undefined {
  const person = introduced?.person;
  return person?.pronoun && person.pronoun !== pronoun.toLowerCase() ? undefined : person?.phrase;
}

function readElided(text: string): Clause | undefined {
  const lower = text.charAt(0).toLowerCase() + text.slice(1);
  const tell = (predicate: string): Clause => ({ kind: 'self', phrase: '', predicate, elided: true });
  if (ELIDED_PAST.test(text)) return tell(lower);
  if (ELIDED_PROGRESSIVE.test(text) && !GERUND_AS_SUBJECT.test(text)) return tell(`am ${lower}`);
  return ELIDED_PERFECT.test(text) ? tell(`have ${lower}`) : undefined;
}

const FILLER =
  '(?:just|actually|really|totally|absolutely|definitely|honestly|literally|basically|simply|truly|genuinely|super|seriously|certainly|obviously|personally|also|even|totes|legit|so|recently just)';
const AT_START = new RegExp(`^(?:${FILLER} )+(?!(?:that|much|many)\\b)`, 'i');
const AFTER_AUXILIARY = new RegExp(
  `^((?:am|have|has|was|had|is|are|were|do|did|will|would|can)) (?:${FILLER} )+(?!(?:that|much|many|far|called)\\b)`,
  'i',
);
const TAIL =
  /(?:,? (?:and|so|but|as well|too|haha+|lol|anyway|honestly|again|already|actually|for sure|though|and all|and stuff|and everything|or something|you know|at all|so far|so much|a lot lately|right now|at the moment|these days))+$/i;
const WITH_ME = / with me\b(?! and)/i;

const ADDS = /\b(?:also|as well)\b|\btoo(?=$|[,.]| (?:now|these days|nowadays|currently)\b)/i;
const NOW = /^(?:now|currently) (?=(?:also )?\w)|(?: (?:now|these days|nowadays|currently))+$/i;

/** The predicate without words that only add colour, so that the same fact reads the same each time. */
export function dropFillers(predicate: string): string {
  const rest = predicate
    .replace(AT_START, '')
    .replace(AFTER_AUXILIARY, '$1 ')
    .replace(TAIL, '')
    .replace(/[\s,;:]+$/, '');
  // Without the "also", "trains on Fridays now" would read as instead of the other days.
  return ADDS.test(predicate) ? rest.replace(NOW, '') : rest;
}

/** "I took my dog with me" says no more than "I took my dog" once somebody else tells it. */
export function dropWithMe(predicate: string): string {
  return predicate.replace(WITH_ME, '');
}
