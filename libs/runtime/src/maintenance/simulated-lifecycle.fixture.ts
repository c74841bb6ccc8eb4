import type { Rng } from '@annals/domain';

const DAY_MS = 24 * 60 * 60 * 1_000;
export const TTL_DAYS = 60;
export const PURGE_DAYS = 30;
export const RETAINED_IMPORTANCE = 3;

/**
 * A memory as the expiry rules use it (docs/reference/lifecycle.md#expiry-after-60-days,
 * docs/reference/truth-and-time.md#superseded-memories-are-retained).
 */
export interface SimulatedMemory {
  readonly id: string;
  readonly messageId: string;
  importance: number;
  readonly pinned: boolean;
  state: 'active' | 'soft_deleted' | 'purged';
  /** Last change or read, in epoch ms. */
  usedAt: number;
  wasRead: boolean;
  deletedAt: number;
  deletedBy: 'user' | 'ttl' | null;
  successor: SimulatedMemory | null;
}

/** Transitions of the simulated memories so far. */
export interface Transitions {
  expired: number;
  expiredUnread: number;
  deleted: number;
  restored: number;
  purged: number;
}

/**
 * Reference model of the lifecycle rules, without a database: the expected state of the memories of a user on each day.
 */
export class SimulatedLifecycle {
  readonly memories: SimulatedMemory[] = [];
  readonly transitions: Transitions = { expired: 0, expiredUnread: 0, deleted: 0, restored: 0, purged: 0 };
  readonly hiddenMessages = new Set<string>();

  add(id: string, messageId: string, importance: number, pinned: boolean, now: number): SimulatedMemory {
    const memory: SimulatedMemory = {
      id,
      messageId,
      importance,
      pinned,
      state: 'active',
      usedAt: now,
      wasRead: false,
      deletedAt: 0,
      deletedBy: null,
      successor: null,
    };
    this.memories.push(memory);
    return memory;
  }

  delete(memory: SimulatedMemory, by: 'user' | 'ttl', now: number): void {
    Object.assign(memory, { state: 'soft_deleted', deletedAt: now, deletedBy: by, usedAt: now });
    if (by === 'user') this.transitions.deleted += 1;
    else this.transitions.expired += 1;
    if (by === 'ttl' && !memory.wasRead) this.transitions.expiredUnread += 1;
  }

  restore(memory: SimulatedMemory, now: number): void {
    Object.assign(memory, { state: 'active', deletedBy: null, usedAt: now });
    this.transitions.restored += 1;
  }

  /** Applies the expected effects of the maintenance of one day. */
  runDailyMaintenance(now: number): void {
    const idle = this.memories.filter(
      (memory) =>
        memory.state === 'active' &&
        !memory.pinned &&
        memory.importance < RETAINED_IMPORTANCE &&
        now - memory.usedAt > TTL_DAYS * DAY_MS &&
        memory.successor?.state !== 'active',
    );
    for (const memory of idle) this.delete(memory, 'ttl', now);
    for (const memory of this.memories) {
      if (memory.state !== 'soft_deleted' || now - memory.deletedAt < PURGE_DAYS * DAY_MS) continue;
      memory.state = 'purged';
      this.transitions.purged += 1;
      if (memory.deletedBy === 'user') this.hiddenMessages.add(memory.messageId);
    }
  }

  /** Picks a random memory that fulfils a condition, or undefined. */
  pick(rng: Rng, condition: (memory: SimulatedMemory) => boolean): SimulatedMemory | undefined {
    const fitting = this.memories.filter(condition);
    return fitting[Math.floor(rng.nextFloat() * fitting.length)];
  }

  countByState(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state } of this.memories) if (state !== 'purged') counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }
}
