import type { ExtractedMemory } from '@annals/contracts';
import { isCurrent, type MemoryChange, planWrites, type StoredMemory } from '@annals/domain';
import { extractMemories } from '../extract-memories.fixture.js';

/** One user's memories in a map: turns are extracted by the local rules and written by the plan of the only write path. */
export class SimulatedMemory {
  private readonly rows = new Map<string, StoredMemory>();
  private readonly said = new Map<string, number[]>();
  private turns = 0;
  private rowCount = 0;

  /** Returns the ids of the memories that state what the turn says, new or known. `day`: "2026-01-04". */
  tell(words: string, day: string): readonly string[] {
    const saidAt = Date.parse(`${day}T12:00:00Z`);
    this.turns += 1;
    const messageId = `m${this.turns}`;
    const extracted = extractMemories([
      { id: messageId, role: 'user', actorId: null, content: words, createdAt: saidAt },
    ]);
    const changes = extracted.map((memory): MemoryChange => toChange(memory, messageId, saidAt));
    const plan = planWrites([...this.rows.values()], changes, [], {
      now: saidAt + 60_000,
      nextId: () => `r${++this.rowCount}`,
      saidTimes: this.said,
    });
    for (const row of [...plan.updates, ...plan.inserts]) this.rows.set(row.id, row);
    for (const { memoryId } of plan.sources) this.addTimes(memoryId, [saidAt]);
    for (const { fromId, toId } of plan.sourceCopies) this.addTimes(toId, this.said.get(fromId) ?? []);
    return plan.results.map(({ memoryId }) => memoryId);
  }

  find(id: string): StoredMemory | undefined {
    return this.rows.get(id);
  }

  holds(id: string): boolean {
    const row = this.rows.get(id);
    return row !== undefined && isCurrent(row);
  }

  /** Statements that hold now, oldest first. */
  current(): string[] {
    return [...this.rows.values()].filter(isCurrent).map(({ content }) => content);
  }

  private addTimes(id: string, times: readonly number[]): void {
    this.said.set(
      id,
      [...(this.said.get(id) ?? []), ...times].toSorted((a, b) => a - b),
    );
  }
}

function toChange(memory: ExtractedMemory, messageId: string, saidAt: number): MemoryChange {
  const validTo = memory.valid_to === undefined ? null : Date.parse(memory.valid_to);
  const validFrom = memory.valid_from === undefined ? saidAt : Date.parse(memory.valid_from);
  return {
    kind: 'observe',
    memory: {
      content: memory.content,
      category: memory.category,
      type: memory.type,
      origin: 'extraction',
      importance: memory.importance,
      confidence: memory.confidence ?? 0.8,
      pinned: false,
      emotionalContext: null,
      significance: null,
      relationshipDynamics: null,
      rationale: null,
      provider: 'local',
      model: 'local-rules',
      costMicroUsd: 0,
      quarantineReason: null,
      validFrom: validTo === null ? validFrom : Math.min(validFrom, validTo),
      validTo,
      saidAt,
      sources: [{ messageId, quote: memory.evidence[0]?.quote ?? '' }],
    },
  };
}
