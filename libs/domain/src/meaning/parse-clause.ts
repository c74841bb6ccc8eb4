import type { Slot } from './slot.js';

export interface Clause {
  /** In lower case; the same text means the same person or thing. */
  readonly subject: string;
  /** What follows the subject, without the full stop. */
  readonly predicate: string;
  /** Attribute of the subject that the statement is about ("name"); null when it is about the subject itself. */
  readonly possession: string | null;
  /** The subject includes another person: "The user and their wife". */
  readonly isShared: boolean;
  /** `thing`: "the staging server". `relative`: one of possibly several ("the user's sister"). */
  readonly kind: 'person' | 'relative' | 'thing';
}

/** Capitalised words at the beginning of a sentence that are no names, or that refer to varying people. */
const NO_NAMES = new Set(
  (
    'a an the this that these those he she it they we i you his her their its our my your there here who what when ' +
    'where why how if in on at for from with after before since while as and but or so some someone somebody nobody ' +
    'everyone everybody people both all each many most one two three another other others mr mrs ms dr'
  ).split(' '),
);

/** Relatives of whom a person has one: "the user's sister" may be one of two sisters, but hardly one of two mothers. */
const SINGLE_KIN = '(?:mother|father|mom|mum|dad|wife|husband)';
/** People and animals that a person may have several of. */
const KIN =
  '(?:(?:older|younger|big|little|elder|twin) )?(?:sister|brother|son|daughter|aunt|uncle|cousin|nephew|niece|grand(?:mother|father|ma|pa|son|daughter)|grandmother|friend|partner|girlfriend|boyfriend|fianc[ée]e?|roommate|flatmate|neighbou?r|colleague|boss|dog|cat|child|kid|baby)';

const NAME = '\\p{Lu}[\\p{L}’-]*\\p{Ll}(?: \\p{Lu}[\\p{L}’-]*\\p{Ll})?';
/** How memories call a speaker without a name (docs/reference/speakers.md#names-in-memories). */
const PARTICIPANT = '[Aa]nother participant \\([^()]+\\)';
/** What may follow an attribute ("Ana's manager is"), or a thing. */
const VERB =
  '(?:is|are|was|were|has|got|runs|starts|begins|ends|comes|covers|costs|opens|closes|takes|happens|meets|lasts|died|moved)';
const SUBJECT = new RegExp(
  `^(?<who>[Tt]he user|${PARTICIPANT}|${NAME})(?:['’]s (?:(?<kin>${SINGLE_KIN})|(?<relative>${KIN}(?: ${NAME})?)(?:['’]s (?<named>name))?|(?<thing>[\\p{L}\\d -]{1,50}?)(?= ${VERB} )))?(?<others> and (?:others|(?:their|[Tt]he user['’]s|${NAME}['’]s) (?:wife|husband|partner|family|boyfriend|girlfriend)))? (?<predicate>(?!and\\b).+)$`,
  'u',
);
const THING = new RegExp(
  `^[Tt]he (?!user\\b|others?\\b|same\\b|fact\\b|thing\\b|only\\b|rest\\b|best\\b)(?<thing>[\\p{L}\\d'’ -]{2,60}?) (?<predicate>${VERB} .+)$`,
  'u',
);

/** "The user's cat is called Mira" gives the cat's name. */
const CALLED = /^is (?:now )?(?:called|named) (?<name>\p{Lu}.*)$/u;

/** Null for a statement whose subject cannot be identified. */
export function parseClause(content: string): Clause | null {
  const statement = content.trim().replace(/[.!]+$/u, '');
  const groups = SUBJECT.exec(statement)?.groups;
  if (!groups) return parseThing(statement);
  const { who, kin, relative, named, thing, others, predicate } = groups as Record<string, string | undefined>;
  const name = who!.toLowerCase();
  if (NO_NAMES.has(name.split(' ')[0]!) && name !== 'the user' && !name.endsWith(')')) return parseThing(statement);
  const relation = kin ?? relative;
  const called = relative === undefined ? null : CALLED.exec(predicate!);
  return {
    subject: relation === undefined ? name : `${name}'s ${relation.toLowerCase()}`,
    predicate: called ? `is ${called.groups!['name']!}` : predicate!,
    possession: thing ?? named ?? (called ? 'name' : null),
    isShared: others !== undefined,
    kind: relative === undefined || / \p{Lu}/u.test(relative) ? 'person' : 'relative',
  };
}

function parseThing(statement: string): Clause | null {
  const groups = THING.exec(statement)?.groups;
  if (!groups) return null;
  const subject = `the ${groups['thing']!.toLowerCase()}`;
  return { subject, predicate: groups['predicate']!, possession: null, isShared: false, kind: 'thing' };
}

/** Extracts one kind of slot; null when the clause is of another kind, or ambiguous. */
export type SlotExtractor = (clause: Clause) => Slot | null;

/** Adverbs that do not change the meaning. */
export const ADVERBS =
  '(?:(?:now|currently|still|just|recently|actually|really|finally|officially|permanently|absolutely|truly|totally|simply|always|definitely|already) )*';

/** Words with which a statement holds beside others of its kind, or only sometimes. */
const BESIDE_OTHERS =
  /\b(?:also|too|as well|part[- ]time|sometimes|occasionally|often|usually|temporarily|half|weekends?|evenings?|nights?|summers?|winters?|during|between|second|another|both|either|side|freelance|volunteers?|interns?|until|would|will|might|may|could|wants?|hopes?|plans?|considering)\b/;

export function isOneOfSeveral({ predicate }: Clause): boolean {
  return BESIDE_OTHERS.test(predicate);
}
