import { SeededRng } from '@annals/domain';

/** Memories of one conversation. A user's rows are scattered among those of others, as in production. */
export const MEMORIES_PER_WRITE = 5;

/** Users of one size. */
interface Group {
  readonly name: string;
  readonly users: number;
  /** Memories of each, a multiple of MEMORIES_PER_WRITE. */
  readonly memories: number;
}

/** Users that are added together; the store grows by stages. */
export interface Stage {
  readonly groups: readonly Group[];
}

/** Memories of one conversation. */
export interface Write {
  readonly userId: string;
  /** Number of the first one among the user's. */
  readonly from: number;
}

/** 10 000 users with a million memories: most have about a hundred, a hundred have 1 000, ten have 10 000. */
export const FULL: readonly Stage[] = [
  {
    groups: [
      { name: 'first', users: 1, memories: 1_000 },
      { name: 'early', users: 90, memories: 100 },
    ],
  },
  { groups: [{ name: 'hundred', users: 900, memories: 100 }] },
  {
    groups: [
      { name: 'thousand', users: 100, memories: 1_000 },
      { name: 'ten-thousand', users: 10, memories: 10_000 },
      { name: 'many', users: 6_515, memories: 80 },
      { name: 'few', users: 2_384, memories: 75 },
    ],
  },
];

export const QUICK: readonly Stage[] = [
  {
    groups: [
      { name: 'first', users: 1, memories: 1_000 },
      { name: 'early', users: 10, memories: 100 },
    ],
  },
  { groups: [{ name: 'hundred', users: 90, memories: 100 }] },
  { groups: [{ name: 'thousand', users: 10, memories: 1_000 }] },
];

export const userOf = (group: string, index: number) => `${group}-${index}`;

export function listUsers({ groups }: Stage): { userId: string; memories: number }[] {
  return groups.flatMap(({ name, users, memories }) =>
    Array.from({ length: users }, (_, index) => ({ userId: userOf(name, index), memories })),
  );
}

export function countMemories({ groups }: Stage): number {
  return groups.reduce((sum, { users, memories }) => sum + users * memories, 0);
}

/** All writes of a stage: those of one user in order, interleaved with those of all others. */
export function listWrites(stage: Stage): Write[] {
  const owners = listUsers(stage).flatMap(({ userId, memories }) =>
    Array.from({ length: memories / MEMORIES_PER_WRITE }, () => userId),
  );
  shuffle(owners);
  const written = new Map<string, number>();
  return owners.map((userId) => {
    const from = written.get(userId) ?? 0;
    written.set(userId, from + MEMORIES_PER_WRITE);
    return { userId, from };
  });
}

/** Shuffles in place (Fisher–Yates), in the same way for the same number of items. */
export function shuffle(items: unknown[]): void {
  const rng = new SeededRng(items.length);
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(rng.nextFloat() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}
