/** A turn of a conversation in the index, or a fact that rests on this conversation alone; times are epoch ms. */
export type EvictableRow =
  | {
      readonly type: 'turn';
      readonly id: string;
      /** Of its message. */
      readonly seq: number;
    }
  | {
      readonly type: 'fact';
      readonly id: string;
      readonly createdAt: number;
      readonly importance: number;
      readonly pinned: boolean;
      /** A person has agreed to it: a field of the user context rests on it. */
      readonly consented: boolean;
      /** Superseded by a memory that still exists. */
      readonly hasSuccessor: boolean;
    };

export interface EvictionInput {
  readonly rows: readonly EvictableRow[];
  /** The last message that the live summaries cover; null without a summary. */
  readonly summarizedThrough: number | null;
  readonly maxEntries: number;
}

export interface EvictionPlan {
  /** Turns to take out of the index, oldest first; their messages stay stored. */
  readonly turns: readonly string[];
  /** Facts to evict, oldest first. */
  readonly facts: readonly string[];
  /** Turns above the limit that go as soon as a summary covers them. */
  readonly waiting: number;
  /** How many entries stay above the limit, since what is left is exempt. */
  readonly excess: number;
}

export const DEFAULT_MAX_ENTRIES = 500;
const EXEMPT_IMPORTANCE = 4;
/** A tenth of the limit is made free: each eviction reads the whole index of the user, so it is to be rare. */
const SLACK_DIVISOR = 10;

/**
 * What a conversation with more than `maxEntries` entries loses (docs/reference/eviction.md), until 90 % of these are left:
 * turns first, oldest first, and only those that a summary covers; then facts by age. A turn that waits for its summary is not replaced by a fact,
 * so that an outage of the model costs no facts. Exempt are facts that are pinned, consented or of importance 4 and 5,
 * and superseded ones with a successor, which do not count as entries either: they are the past of another memory.
 * Summaries are no entries. Of rows with the same age, the one with the lower id goes first.
 */
export function planEviction({ rows, summarizedThrough, maxEntries }: EvictionInput): EvictionPlan {
  const turns = rows.filter((row) => row.type === 'turn').toSorted((a, b) => a.seq - b.seq || compare(a.id, b.id));
  const facts = rows.filter((row) => row.type === 'fact').filter(({ hasSuccessor }) => !hasSuccessor);
  const entries = turns.length + facts.length;
  const over = entries > maxEntries ? entries - maxEntries + Math.floor(maxEntries / SLACK_DIVISOR) : 0;
  const leavingTurns = turns.slice(0, over);
  const coveredTurns = leavingTurns.filter(({ seq }) => summarizedThrough !== null && seq <= summarizedThrough);
  const leavingFacts = facts
    .filter(isEvictable)
    .toSorted((a, b) => a.createdAt - b.createdAt || compare(a.id, b.id))
    .slice(0, over - leavingTurns.length);
  const above = Math.max(0, entries - coveredTurns.length - leavingFacts.length - maxEntries);
  const waiting = Math.min(above, leavingTurns.length - coveredTurns.length);
  return {
    turns: coveredTurns.map(({ id }) => id),
    facts: leavingFacts.map(({ id }) => id),
    waiting,
    excess: above - waiting,
  };
}

function isEvictable({ pinned, consented, importance }: Extract<EvictableRow, { type: 'fact' }>): boolean {
  return !pinned && !consented && importance < EXEMPT_IMPORTANCE;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
