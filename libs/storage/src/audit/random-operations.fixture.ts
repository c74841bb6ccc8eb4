import { randomBytes } from 'node:crypto';
import { type HistoryDraft, type MemoryChange, SeededRng } from '@annals/domain';
import { newMemory } from '@annals/testing';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { allOf, type Tx } from '../database/transaction.js';
import { type MemoryWriteCommand, writeMemories } from '../memories/write-memories.js';
import { appendHistory } from './user-chain.js';

/** What an operation changed in one user's tables, and which history rows it wrote. */
export interface OperationEffects {
  readonly operation: string;
  readonly userId: string;
  /** Memories that were inserted, changed or deleted. */
  readonly changed: readonly string[];
  /** Links that were inserted, as `from to`. */
  readonly linked: readonly string[];
  readonly rows: readonly {
    readonly memory_id: string | null;
    readonly event: string;
    readonly new_ref: string | null;
  }[];
}

const CITIES = ['Bonn', 'Rome', 'Oslo', 'Lyon', 'Bath'];
const DRINKS = ['tea', 'coffee', 'milk', 'juice', 'water', 'cocoa', 'cider', 'soda'];

/** One of several concurrent writers that apply random operations to random users. */
export class RandomWriter {
  private readonly rng: SeededRng;

  constructor(
    private readonly fixture: StorageFixture,
    private readonly tenantId: string,
    private readonly users: readonly string[],
    seed: number,
  ) {
    this.rng = new SeededRng(seed);
  }

  /**
   * Runs one operation and records its effects. Holds the user's lock from before the first snapshot until after the
   * last.
   */
  async runRandomOperation(): Promise<OperationEffects> {
    const userId = this.pick(this.users);
    const operation = this.pick(OPERATIONS);
    return this.fixture.inTenant(this.tenantId, async (tx) => {
      const [[user], before] = await allOf([
        tx.query<{ chain_seq: string }>('SELECT chain_seq FROM users WHERE user_id = $1 FOR UPDATE', [userId]),
        takeSnapshot(tx, userId),
      ]);
      await this.perform(tx, operation, userId, [...before.memories.keys()]);
      const [after, rows] = await allOf([
        takeSnapshot(tx, userId),
        tx.query<OperationEffects['rows'][number]>(
          'SELECT memory_id, event, new_ref FROM history WHERE user_id = $1 AND seq > $2 ORDER BY seq',
          [userId, user!.chain_seq],
        ),
      ]);
      return { operation, userId, ...compare(before, after), rows };
    });
  }

  private async perform(tx: Tx, operation: Operation, userId: string, ids: readonly string[]): Promise<void> {
    if (operation === 'consent') return this.consent(tx, userId);
    if (operation === 'batch') {
      const changes = Array.from({ length: 2 + this.randomBelow(4) }, () => this.observe());
      const links = changes.slice(1).map((_, index) => ({
        from: index + 1,
        ...(ids.length > 0 && this.randomBelow(2) === 0 ? { toMemoryId: this.pick(ids) } : { to: index }),
        relationType: 'related_to' as const,
        strength: this.rng.nextFloat(),
      }));
      return this.write(tx, userId, { changes, links });
    }
    const change =
      operation === 'observe' || ids.length === 0 ? this.observe() : this.change(operation, this.pick(ids));
    // Some are due immediately.
    return this.write(tx, userId, { changes: [change] }, this.randomBelow(2) === 0 ? 0 : undefined);
  }

  private change(operation: Exclude<Operation, 'consent' | 'batch' | 'observe'>, memoryId: string): MemoryChange {
    switch (operation) {
      case 'edit':
        return {
          kind: 'edit',
          memoryId,
          patch: { importance: 1 + this.randomBelow(5), pinned: this.randomBelow(2) === 0 },
        };
      case 'supersede':
        return { kind: 'supersede', memoryId, memory: { ...this.statement(), quarantineReason: null } };
      case 'delete':
        return { kind: 'delete', memoryId, by: this.pick(['user', 'ttl'] as const) };
      case 'restore':
      case 'undo':
      case 'purge':
      case 'release':
      case 'reject':
        return { kind: operation, memoryId };
    }
  }

  private async write(
    tx: Tx,
    userId: string,
    request: Pick<MemoryWriteCommand, 'changes' | 'links'>,
    purgeAfterMs?: number,
  ): Promise<void> {
    const { clock, ids } = this.fixture;
    const command = { userId, actor: 'random', node: 'api', embeddings: new Map(), ...request };
    const dependencies = { clock, ids, randomBytes, ...(purgeAfterMs === undefined ? {} : { purgeAfterMs }) };
    const written = await writeMemories(tx, command, dependencies);
    if (written.outcome !== 'applied') throw new Error(`The write is ${written.outcome}.`);
  }

  private async consent(tx: Tx, userId: string): Promise<void> {
    const { clock, ids } = this.fixture;
    const row: HistoryDraft = {
      memoryId: null,
      event: 'CONSENT',
      oldRef: null,
      newRef: null,
      content: this.pick(CITIES),
      meta: { field: 'city' },
    };
    await appendHistory(tx, { userId, actor: 'random', rows: [row] }, { clock, ids, randomBytes });
  }

  private observe(): MemoryChange {
    return { kind: 'observe', memory: this.statement() };
  }

  /** Few values, so that statements repeat and conflict with each other. */
  private statement() {
    const now = this.fixture.clock.now();
    const content =
      this.randomBelow(3) === 0 ? `The user lives in ${this.pick(CITIES)}.` : `The user drinks ${this.pick(DRINKS)}.`;
    const saidAt = now - this.randomBelow(1_000) * 60_000;
    return newMemory(content, now, {
      origin: this.pick(['extraction', 'manual'] as const),
      confidence: Math.round(this.rng.nextFloat() * 100) / 100,
      quarantineReason: this.randomBelow(10) === 0 ? 'quote_not_found' : null,
      rationale: this.randomBelow(2) === 0 ? 'They said so.' : null,
      validFrom: saidAt,
      saidAt,
    });
  }

  private randomBelow(end: number): number {
    return Math.floor(this.rng.nextFloat() * end);
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.randomBelow(from.length)]!;
  }
}

const OPERATIONS = [
  'observe',
  'observe',
  'edit',
  'supersede',
  'delete',
  'restore',
  'undo',
  'purge',
  'release',
  'reject',
  'batch',
  'consent',
] as const;
type Operation = (typeof OPERATIONS)[number];

interface TableSnapshot {
  /** All columns of each row, by id. */
  readonly memories: ReadonlyMap<string, string>;
  readonly links: ReadonlySet<string>;
}

async function takeSnapshot(tx: Tx, userId: string): Promise<TableSnapshot> {
  const [memories, links] = await allOf([
    tx.query<{ id: string; print: string }>('SELECT id, md5(m::text) AS print FROM memories m WHERE user_id = $1', [
      userId,
    ]),
    tx.query<{ link: string }>(
      `SELECT r.from_id || ' ' || r.to_id AS link FROM relations r
        WHERE r.from_id IN (SELECT id FROM memories WHERE user_id = $1)`,
      [userId],
    ),
  ]);
  return {
    memories: new Map(memories.map(({ id, print }) => [id, print])),
    links: new Set(links.map(({ link }) => link)),
  };
}

function compare(before: TableSnapshot, after: TableSnapshot): Pick<OperationEffects, 'changed' | 'linked'> {
  const ids = new Set([...before.memories.keys(), ...after.memories.keys()]);
  return {
    changed: [...ids].filter((id) => before.memories.get(id) !== after.memories.get(id)),
    linked: [...after.links].filter((link) => !before.links.has(link)),
  };
}

/**
 * What is missing or superfluous in the history of an operation: each changed memory needs a row, a single change
 * exactly one; no row may describe a memory that did not change; each link needs its own row.
 */
export function findHistoryFaults({ operation, changed, linked, rows }: OperationEffects): string[] {
  const faults: string[] = [];
  const links = rows.filter(({ event }) => event === 'LINK').map((row) => `${row.memory_id} ${row.new_ref}`);
  const otherRows = rows.filter(({ event }) => event !== 'LINK');
  if (operation === 'consent') {
    return otherRows.length === 1 && otherRows[0]!.event === 'CONSENT' && changed.length === 0 ? [] : ['consent'];
  }
  for (const id of changed) {
    const count = otherRows.filter((row) => row.memory_id === id).length;
    if (count === 0) faults.push(`${operation}: a change has no history row`);
    if (count > 1 && operation !== 'batch') faults.push(`${operation}: one change has ${count} history rows`);
  }
  for (const { memory_id: id, event } of otherRows) {
    if (id === null || !changed.includes(id)) faults.push(`${operation}: the row ${event} describes no change`);
  }
  if (links.toSorted().join() !== linked.toSorted().join())
    faults.push(`${operation}: links and their history rows differ`);
  return faults;
}
