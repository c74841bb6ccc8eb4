import { FOOD, HEALTH, HOME, PEOPLE, WORK } from './pairs-at-home.js';
import { HOBBIES, MONEY, STUDY, TECH, TRAVEL } from './pairs-outside.js';

/** How two memories of one user relate. Only the first kind is one fact. */
type PairKind = 'same' | 'topic' | 'changed' | 'negation' | 'other';

/** "a | b", and of a fact that is stated twice "a | b | what a good model merges them to | what must be in it; …". */
export type PairsOfDomain = Readonly<Record<PairKind, readonly string[]>>;

export interface LabelledMemoryPair {
  readonly domain: string;
  readonly kind: PairKind;
  readonly a: string;
  readonly b: string;
  /** `merge`: one fact. `link`: both hold, about one topic. `apart`: they must not become one, and time decides. */
  readonly expected: 'merge' | 'link' | 'apart';
  /** Of pairs to merge. */
  readonly merged: string | null;
  readonly mustContain: readonly string[];
}

const DOMAINS: Readonly<Record<string, PairsOfDomain>> = {
  work: WORK,
  home: HOME,
  health: HEALTH,
  food: FOOD,
  people: PEOPLE,
  travel: TRAVEL,
  hobbies: HOBBIES,
  study: STUDY,
  money: MONEY,
  tech: TECH,
};
const EXPECTED = { same: 'merge', topic: 'link', changed: 'apart', negation: 'apart', other: 'apart' } as const;

function read(domain: string, kind: PairKind, line: string): LabelledMemoryPair {
  const [a, b, merged = null, must] = line.split(' | ');
  return { domain, kind, a: a!, b: b!, expected: EXPECTED[kind], merged, mustContain: must?.split('; ') ?? [] };
}

const all = Object.entries(DOMAINS).flatMap(([domain, kinds]) =>
  (Object.keys(EXPECTED) as PairKind[]).map((kind) => kinds[kind].map((line) => read(domain, kind, line))),
);

/** Every third pair of each kind and domain was left out of all work on the rules. */
export const MEMORY_PAIRS: readonly LabelledMemoryPair[] = all.flatMap((pairs) =>
  pairs.filter((_pair, index) => index % 3 !== 2),
);
export const HELD_OUT_MEMORY_PAIRS: readonly LabelledMemoryPair[] = all.flatMap((pairs) =>
  pairs.filter((_pair, index) => index % 3 === 2),
);
