/** A statement taken apart: of whom it is, and what is said. */
export interface Clause {
  /** In lower case; the same words mean the same person. */
  readonly subject: string;
  /** What follows the subject, without the full stop. */
  readonly predicate: string;
  /** The thing of theirs that the statement is about ("name", "favourite color"); null when it is about themselves. */
  readonly possession: string | null;
  /** Somebody else is meant as well: "The user and their wife". */
  readonly isShared: boolean;
}

/** Words that begin sentences as names do and stand for nobody in particular, or for somebody else each time. */
const NO_NAMES = new Set(
  (
    'a an the this that these those he she it they we i you his her their its our my your there here who what when ' +
    'where why how if in on at for from with after before since while as and but or so some someone somebody nobody ' +
    'everyone everybody people both all each many most one two three another other others mr mrs ms dr'
  ).split(' '),
);

/** Kin of whom a person has one: a second sister may be meant by "the user's sister", a second mother hardly. */
const SINGLE_KIN = '(?:mother|father|mom|mum|dad|wife|husband)';

const NAME = '\\p{Lu}[\\p{L}’-]*\\p{Ll}(?: \\p{Lu}[\\p{L}’-]*\\p{Ll})?';
const SUBJECT = new RegExp(
  `^(?<who>[Tt]he user|${NAME})(?:['’]s (?:(?<kin>${SINGLE_KIN})|(?<thing>[\\p{L} -]{1,40}?)(?= (?:is|was|are) )))?(?<others> and (?:others|(?:their|[Tt]he user['’]s|${NAME}['’]s) (?:wife|husband|partner|family|boyfriend|girlfriend)))? (?<predicate>.+)$`,
  'u',
);

/** Null for a statement that begins with nobody who can be told apart from others. */
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
