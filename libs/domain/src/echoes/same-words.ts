import { toIndexTerm } from '../lexical/to-index-term.js';

/** Each line: words that stand for each other where the rest of a statement agrees. */
const TABLE = `
live reside residence based home
work job employed employer
allergy allergic
study student studying
child kid
married marry wife husband spouse
prefer favour favor rather
colour color
favourite favorite
doctor physician gp
dog puppy
cat kitten
car vehicle
bike bicycle
mother mom mum
father dad
flat apartment
boss manager supervisor
quit resign
begin start
purchase buy
own possess
`;

const SAME: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const terms = [...new Set(line.split(' ').map(toIndexTerm))];
      return terms.map((term): [string, readonly string[]] => [term, terms]);
    }),
);

/** The index terms that may stand for a term, itself included. */
export function listSameTerms(term: string): readonly string[] {
  return SAME.get(term) ?? [term];
}

/**
 * Words of the table that mean the same only where they say it of somebody: "my home is Lisbon", "based in Lisbon", "a
 * job at Zeiss", not "drove home" or "a new job".
 */
const FRAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  home: new Set(['is']),
  based: new Set(['in', 'at']),
  job: new Set(['is', 'at', 'with']),
};

/** Whether a word stands for others of its line, by the words next to it (`before`: the last but one before). */
export function standsForOther(
  word: string,
  { before, next }: { readonly before: string | undefined; readonly next: string | undefined },
): boolean {
  const frame = FRAMES[word];
  return frame === undefined || (next !== undefined && frame.has(next)) || (word === 'home' && before === 'is');
}
