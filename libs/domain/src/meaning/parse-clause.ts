import type { Slot } from './slot.js';

export interface Clause {
  /** In lower case; the same text means the same person. */
  readonly subject: string;
  /** What follows the subject, without the full stop. */
  readonly predicate: string;
  /** Attribute of the subject that the statement is about ("name"); null when it is about the subject itself. */
  readonly possession: string | null;
  /** The subject includes another person: "The user and their wife". */
  readonly isShared: boolean;
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

const NAME = '\\p{Lu}[\\p{L}’-]*\\p{Ll}(?: \\p{Lu}[\\p{L}’-]*\\p{Ll})?';
const SUBJECT = new RegExp(
  `^(?<who>[Tt]he user|${NAME})(?:['’]s (?:(?<kin>${SINGLE_KIN})|(?<thing>[\\p{L} -]{1,40}?)(?= (?:is|was|are) )))?(?<others> and (?:others|(?:their|[Tt]he user['’]s|${NAME}['’]s) (?:wife|husband|partner|family|boyfriend|girlfriend)))? (?<predicate>.+)$`,
  'u',
);

/** Null for a statement whose subject cannot be identified. */
export function parseClause(content: string): Clause | null {
  const groups = SUBJECT.exec(content.trim().replace(/[.!]+$/u, ''))?.groups;
  if (!groups) return null;
  const { who, kin, thing, others, predicate } = groups as Record<string, string | undefined>;
  const name = who!.toLowerCase();
  if (NO_NAMES.has(name.split(' ')[0]!) && name !== 'the user') return null;
  return {
    subject: kin === undefined ? name : `${name}'s ${kin}`,
    predicate: predicate!,
    possession: thing ?? null,
    isShared: others !== undefined,
  };
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
