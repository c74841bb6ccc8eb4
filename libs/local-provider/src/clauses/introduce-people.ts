/** What earlier sentences of the same message brought up, for "she" and "we" later on. */
export interface IntroducedPeople {
  person?: { phrase: string; pronoun?: 'he' | 'she' };
  companions?: string;
}

const FEMALE = 'wife|girlfriend|sister|mother|mom|mum|mama|daughter|aunt|niece|grandmother|grandma|granny';
const MALE = 'husband|boyfriend|brother|father|dad|papa|son|uncle|nephew|grandfather|grandpa|granddad';
const NEUTRAL =
  'partner|fiance|fiancée?|fiancé|friend|best friend|boss|manager|colleague|coworker|co-worker|cousin|neighbou?r|roommate|flatmate|teacher|doctor|therapist|coach|mentor|kid|child|baby|spouse|girl|boy';

/** Words for people close to somebody. */
export const RELATION_WORDS = `${FEMALE}|${MALE}|${NEUTRAL}`;

const NAME = String.raw`\p{Lu}[\p{L}'-]+`;
const PERSON = new RegExp(
  String.raw`\b[Mm]y (?:[a-z-]+ ){0,2}?(?<word>${RELATION_WORDS})(?:,? (?<name>${NAME}))?(?![\w'])`,
  'gu',
);
const COMPANIONS = new RegExp(
  String.raw`\b(?:(?<first>[Mm]y [\w'-]+(?: ${NAME})?|${NAME}) and I|I (?:\w+ly )?(?:went|hiked|traveled|travelled|camped|drove|flew|visited) [^.]*?with (?<second>my [\w'-]+(?: ${NAME})?))(?![\w'])`,
  'u',
);

/**
 * People a sentence introduces. Only a single one is taken: with two, "she" would be a guess. Later sentences keep what
 * earlier ones introduced until they bring up somebody else.
 */
export function introducePeople(sentence: string, before: IntroducedPeople): IntroducedPeople {
  const people = [...sentence.matchAll(PERSON)];
  const companions = COMPANIONS.exec(sentence)?.groups;
  return {
    person: people.length === 0 ? before.person : people.length === 1 ? readPerson(people[0]!) : undefined,
    companions: companions?.['first'] ?? companions?.['second'] ?? before.companions,
  };
}

function readPerson(match: RegExpMatchArray): IntroducedPeople['person'] {
  const word = match.groups!['word']!;
  const pronoun = new RegExp(`^(?:${FEMALE})$`).test(word)
    ? 'she'
    : new RegExp(`^(?:${MALE})$`).test(word)
      ? 'he'
      : undefined;
  return { phrase: match[0].replace(',', ''), pronoun };
}
