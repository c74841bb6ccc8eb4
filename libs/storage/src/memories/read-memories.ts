import type { HistoryEntry, HistoryPage, ListMemoriesQuery, Memory, MemoryPage, MemorySource } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { HistoryEntity } from '../entities/history.entity.js';
import type { MemorySourceEntity } from '../entities/memory-source.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { MEMORY_COLUMNS, type MemoryRow } from './memory-row.js';

export type SourceRow = Pick<
  MemorySourceEntity,
  'memory_id' | 'conversation_id' | 'message_id' | 'thread_id' | 'actor_id' | 'quote' | 'said_at'
>;

/** Sources of these memories, oldest message first, by memory id. */
export async function loadSources(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, MemorySource[]>> {
  const sources = new Map<string, MemorySource[]>(memoryIds.map((id) => [id, []]));
  if (memoryIds.length === 0) return sources;
  const rows = await tx.query<SourceRow>(
    `SELECT memory_id, conversation_id, message_id, thread_id, actor_id, quote, said_at
       FROM memory_sources WHERE memory_id = ANY ($1) ORDER BY said_at, message_id`,
    [memoryIds],
  );
  for (const row of rows) {
    sources.get(row.memory_id)!.push({
      conversation_id: row.conversation_id,
      message_id: row.message_id,
      thread_id: row.thread_id,
      actor_id: row.actor_id,
      quote: row.quote,
      said_at: row.said_at.toISOString(),
    });
  }
  return sources;
}

type OwnedMemoryRow = MemoryRow & Pick<MemoryEntity, 'user_id'>;

function toMemory(row: OwnedMemoryRow, sources: readonly MemorySource[]): Memory {
  return {
    id: row.id,
    user_id: row.user_id,
    content: row.content,
    category: row.category,
    type: row.type,
    state: row.state,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned,
    origin: row.origin,
    revision: row.revision,
    valid_from: row.valid_from.toISOString(),
    valid_to: row.valid_to?.toISOString() ?? null,
    superseded_by: row.superseded_by,
    recorded_at: row.recorded_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
    quarantine_reason: row.quarantine_reason,
    sources: [...sources],
    provenance: { provider: row.provider, model: row.model, cost_micro_usd: Number(row.cost_micro_usd) },
  };
}

/** One memory with its sources, in any state, or null when the tenant has none with this id. */
export async function getMemory(tx: Tx, id: string): Promise<Memory | null> {
  const [rows, sources] = await allOf([
    tx.query<OwnedMemoryRow>(`SELECT m.user_id, ${MEMORY_COLUMNS} FROM memories m WHERE m.id = $1`, [id]),
    loadSources(tx, [id]),
  ]);
  return rows[0] ? toMemory(rows[0], sources.get(id)!) : null;
}

/** Restriction of a list in addition to its filters: null for every category. */
export interface ListScope {
  readonly categories: readonly string[] | null;
}

/** Memories by filters, latest change first. Throws InvalidCursorError. */
export async function listMemories(tx: Tx, query: ListMemoriesQuery, scope: ListScope): Promise<MemoryPage> {
  const after = parseCursor(query.cursor, ['time', 'uuid']);
  const parameters: unknown[] = [];
  const bind = (value: unknown) => `$${parameters.push(value)}`;
  const conditions = [`m.state = ${bind(query.state)}`];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined && value !== null) conditions.push(condition(bind(value)));
  };
  add((p) => `m.user_id = ${p}`, query.user_id);
  add((p) => `m.category = ${p}`, query.category);
  add((p) => `m.category = ANY (${p})`, scope.categories);
  add((p) => `m.type = ${p}`, query.type);
  add((p) => `m.pinned = ${p}`, query.pinned);
  add((p) => `m.updated_at > ${p}`, query.updated_after);
  add((p) => `m.updated_at < ${p}`, query.updated_before);
  if (!query.include_superseded) conditions.push('m.superseded_by IS NULL');
  const { thread_id, agent_id, run_id, actor_id, app_id } = query;
  const ofSources = sourceCondition({ thread_id, agent_id, run_id, actor_id, app_id }, bind);
  if (ofSources) conditions.push(ofSources);
  // Compared as text with microseconds: a Date would truncate them, and repeat or skip rows.
  if (after) conditions.push(`(m.updated_at, m.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
  const rows = await tx.query<OwnedMemoryRow & { sort_at: string }>(
    `SELECT m.user_id, ${MEMORY_COLUMNS}, m.updated_at::text AS sort_at FROM memories m
      WHERE ${conditions.join(' AND ')} ORDER BY m.updated_at DESC, m.id DESC LIMIT ${bind(query.limit + 1)}`,
    parameters,
  );
  const sources = await loadSources(
    tx,
    rows.slice(0, query.limit).map((row) => row.id),
  );
  return buildPage(
    rows,
    query.limit,
    (row) => toMemory(row, sources.get(row.id)!),
    (row) => [row.sort_at, row.id],
  );
}

/**
 * Filters on the source of a memory; null when none is given
 * (docs/reference/memory-model.md#scope-fields-and-source-filters).
 */
function sourceCondition(
  filters: Readonly<Record<string, string | undefined | null>>,
  bind: (value: unknown) => string,
): string | null {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return null;
  const matches = given.map(([column, value]) => `s.${column} = ${bind(value)}`).join(' AND ');
  return `EXISTS (SELECT 1 FROM memory_sources s WHERE s.tenant_id = m.tenant_id AND s.memory_id = m.id AND ${matches})`;
}

type HistoryRow = Pick<
  HistoryEntity,
  'seq' | 'event' | 'memory_id' | 'old_ref' | 'new_ref' | 'actor' | 'content' | 'meta' | 'hash' | 'ts'
>;

/** Every write that changed a memory, oldest first, or null when the tenant has no such memory. */
export async function getMemoryHistory(
  tx: Tx,
  memoryId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<HistoryPage | null> {
  const after = parseCursor(page.cursor, ['integer']);
  const [exists, rows] = await allOf([
    tx.query('SELECT 1 FROM memories WHERE id = $1', [memoryId]),
    tx.query<HistoryRow>(
      `SELECT seq, event, memory_id, old_ref, new_ref, actor, content, meta, hash, ts
         FROM history WHERE memory_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
      [memoryId, after?.[0] ?? 0, page.limit + 1],
    ),
  ]);
  if (exists.length === 0) return null;
  return buildPage(
    rows,
    page.limit,
    (row): HistoryEntry => ({
      seq: Number(row.seq),
      event: row.event,
      memory_id: row.memory_id!,
      old_ref: row.old_ref,
      new_ref: row.new_ref,
      actor: row.actor,
      content: row.content,
      meta: row.meta,
      hash: row.hash.toString('hex'),
      ts: row.ts.toISOString(),
    }),
    (row) => [Number(row.seq)],
  );
}
