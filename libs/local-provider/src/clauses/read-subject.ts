import type { IntroducedPeople } from '../person/resolve-pronouns.js';

/** Who a clause is about. */
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
const OWN_VERB = String.raw`(?:is|are|was|were|has|have|had|does|do|did|will|can|can not|just|also|always|still|recently|often|usually|never|really|absolutely|currently|loves?|likes?|hates?|enjoys?|prefers?|lives?|works?|plays?|teaches|studies|went|came|got|gave|made|took|told|helped|started|turned|moved|called|passed|died|bought|owns?|runs?|sings?|wants?|needs?|broke|won|lost|left|visited|grew|graduated|taught|retired|introduced|inspired|adopted|married|goes|gets|finished|joined|opened|became|makes|keeps|starts|ends|begins|leaves|departs|arrives|lands|expires|means|costs|helps|sounds|feels|[a-z]{3,}ed)`;
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
  const others = WITH_OTHERS.exec(text);
  if (others?.groups) {
    const companions = others.groups['first'] ?? others.groups['second'] ?? '';
    return { kind: 'group', phrase: companions, predicate: rest(text, others[0]), elided: false };
  }
  const self = SELF.exec(text);
  if (self) return { kind: 'self', phrase: '', predicate: rest(text, self[0]), elided: false };
  const group = GROUP.exec(text);
  if (group)
    return { kind: 'group', phrase: introduced?.companions ?? '', predicate: rest(text, group[0]), elided: false };
  const own = OWN.exec(text);
  if (own?.groups) {
    return {
      kind: 'own',
      phrase: own.groups['phrase']!.trim().replace(/^our\b/i, 'my'),
      predicate: rest(text, own[0]),
      elided: false,
    };
  }
  const third = THIRD.exec(text);
  if (third?.groups) return readThird(third.groups['who']!, rest(text, third[0]), introduced);
  const isMine = IS_MINE.exec(text);
  if (isMine?.groups) {
    return { kind: 'own', phrase: isMine.groups['phrase']!, predicate: rest(text, isMine[0]), elided: false };
  }
  return readElided(text);
}

function readThird(pronoun: string, predicate: string, introduced: IntroducedPeople | undefined): Clause | undefined {
  const person = introduced?.person;
  if (!person || (person.pronoun && person.pronoun !== pronoun.toLowerCase())) return undefined;
  return { kind: 'own', phrase: person.phrase, predicate, elided: false };
}

function readElided(text: string): Clause | undefined {
  const lower = text.charAt(0).toLowerCase() + text.slice(1);
  if (ELIDED_PAST.test(text)) return { kind: 'self', phrase: '', predicate: lower, elided: true };
  if (ELIDED_PROGRESSIVE.test(text) && !GERUND_AS_SUBJECT.test(text))
    return { kind: 'self', phrase: '', predicate: `am ${lower}`, elided: true };
  if (ELIDED_PERFECT.test(text)) return { kind: 'self', phrase: '', predicate: `have ${lower}`, elided: true };
  return undefined;
}

function rest(text: string, subject: string): string {
  return text.slice(subject.length).trim();
}
