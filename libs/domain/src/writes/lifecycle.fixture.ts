import { isCurrent } from './memory-row.js';
import { planWrites } from './plan-writes.js';
import type { LastWrite, MemoryChange, NewMemory, PlannedLink, StoredMemory, WritePlan } from './types.js';

export const DAY = 86_400_000;

export function newMemory(content: string, fields: Partial<NewMemory> = {}): NewMemory {
  const saidAt = fields.saidAt ?? fields.validFrom ?? 10 * DAY;
  return {
    content,
    category: 'profile',
    type: 'semantic',
    origin: 'extraction',
    importance: 3,
    confidence: 0.8,
    pinned: false,
    emotionalContext: null,
    significance: null,
    relationshipDynamics: null,
    rationale: null,
    provider: 'local',
    model: 'rules',
    costMicroUsd: 0,
    quarantineReason: null,
    validFrom: saidAt,
    validTo: null,
    saidAt,
    sources: [{ messageId: `said at ${saidAt}`, quote: content }],
    ...fields,
  };
}

export const observe = (content: string, fields?: Partial<NewMemory>): MemoryChange => ({
  kind: 'observe',
  memory: newMemory(content, fields),
});

/** A statement that is made, and valid, from a day on. */
export const say = (content: string, day: number, fields: Partial<NewMemory> = {}): MemoryChange =>
  observe(content, { validFrom: day * DAY, saidAt: day * DAY, ...fields });

/** Applies plans one after another to the rows that result, as the database would. */
export class SimulatedLifecycle {
  readonly rows = new Map<string, StoredMemory>();
  readonly history: WritePlan['history'][number][] = [];
  private readonly said = new Map<string, Set<number>>();
  private readonly lastWrites = new Map<string, LastWrite>();
  private count = 0;

  write(changes: readonly MemoryChange[], now = 20 * DAY, links: readonly PlannedLink[] = []): WritePlan {
    const plan = planWrites([...this.rows.values()], changes, links, {
      now,
      nextId: () => `id-${++this.count}`,
      saidTimes: new Map([...this.said].map(([id, times]) => [id, [...times].toSorted((a, b) => a - b)])),
      lastWrites: this.lastWrites,
      mergedIds: new Set(
        this.history.flatMap(({ event, memoryId }) => (event === 'MERGE' && memoryId ? [memoryId] : [])),
      ),
    });
    for (const row of [...plan.updates, ...plan.inserts]) this.rows.set(row.id, row);
    for (const { memoryId, messageId } of plan.sources) this.timesOf(memoryId).add(Number(messageId.split(' ').at(-1)));
    for (const { fromId, toId } of plan.sourceCopies) {
      for (const at of this.timesOf(fromId)) this.timesOf(toId).add(at);
    }
    for (const { memoryId, event, newRef, meta } of plan.history) {
      if (memoryId === null) continue;
      if (event !== 'LINK') this.lastWrites.set(memoryId, { event, newRef, meta });
    }
    this.history.push(...plan.history);
    return plan;
  }

  current(): string[] {
    return [...this.rows.values()].filter(isCurrent).map((row) => row.content);
  }

  /** The contents valid on a day as known at a time, by the rule of queries. */
  asOf(day: number, knownAt = Number.POSITIVE_INFINITY): string[] {
    return [...this.rows.values()]
      .filter((row) => {
        const end = knownValidTo(row, knownAt);
        const isKnown = row.state === 'active' && row.recordedAt <= knownAt;
        return isKnown && row.validFrom <= day * DAY && (end === null || day * DAY < end);
      })
      .map((row) => row.content)
      .toSorted();
  }

  private timesOf(memoryId: string): Set<number> {
    const times = this.said.get(memoryId) ?? new Set<number>();
    this.said.set(memoryId, times);
    return times;
  }
}

function knownValidTo(row: StoredMemory, knownAt: number): number | null {
  if (row.closedAt === null || row.closedAt <= knownAt) return row.validTo;
  return row.formerEnds.findLast(({ since }) => since <= knownAt)?.validTo ?? null;
}
