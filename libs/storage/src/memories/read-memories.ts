import {
  GLOBAL_OWNER,
  type HistoryEntry,
  type HistoryPage,
  type ListMemoriesQuery,
  type Memory,
  type MemoryContext,
  type MemoryPage,
  type MemorySource,
} from '@annals/contracts';
import { removeHidden, namedOwner, scopeOfOwner } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import { type InsightView, isServedInsightSql } from '../insights/insight-view.js';
import { type Bind, Binder } from '../query/binder.js';
import { mentionsSql } from '../query/memory-conditions.js';
import type { HistoryEntity } from '../entities/history.entity.js';
import type { MemorySourceEntity, MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { MEMORY_COLUMNS, type MemoryRow } from './memory-statements.js';

type SourceRow = Pick<
  MemorySourceEntity,
  'memory_id' | 'conversation_id' | 'message_id' | 'thread_id' | 'actor_id' | 'quote' | 'said_at'
> &
  Pick<MessageEntity, 'external_id'>;

/** Sources of these memories, oldest message first, by memory id. */
async function loadSources(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, MemorySource[]>> {
  const sources = new Map<string, MemorySource[]>(memoryIds.map((id) => [id, []]));
  if (memoryIds.length === 0) return sources;
  const rows = await tx.query<SourceRow>(
    `SELECT s.memory_id, s.conversation_id, s.message_id, g.external_id, s.thread_id, s.actor_id, s.quote, s.said_at
       FROM memory_sources s LEFT JOIN messages g ON g.tenant_id = s.tenant_id AND g.id = s.message_id
      WHERE s.memory_id = ANY ($1) ORDER BY s.said_at, s.message_id`,
    [memoryIds],
  );
  for (const { memory_id, ...source } of rows) {
    sources.get(memory_id)!.push(toSource(source));
  }
  return sources;
}

function toSource({ quote, said_at, ...source }: Omit<SourceRow, 'memory_id'>): MemorySource {
  return { ...source, quote: removeHidden(quote), said_at: said_at.toISOString() };
}

type ContextRow = Pick<MemoryEntity, 'emotional_context' | 'significance' | 'relationship_dynamics'>;

// The columns hold what passed the schema of a model's response, which is the schema of these fields too.
function toContext({ emotional_context, significance, relationship_dynamics }: ContextRow): MemoryContext {
  const stored = JSON.stringify({ emotional_context, significance, relationship_dynamics });
  return JSON.parse(stored, (_key, value: unknown) =>
    typeof value === 'string' ? removeHidden(value) : value,
  ) as MemoryContext;
}

type OwnedMemoryRow = MemoryRow & Pick<MemoryEntity, 'user_id'>;

function toMemory(row: OwnedMemoryRow, sources: readonly MemorySource[]): Memory {
  return {
    id: row.id,
    scope: scopeOfOwner(row.user_id),
    user_id: namedOwner(row.user_id),
    content: removeHidden(row.content),
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
    ...toContext(row),
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
  /** Placeholders that a memory must contain, all of them; null for no condition. */
  readonly mentions?: readonly string[] | null;
  /** Leaves out insights that are switched off or that the caller may not see. Default: none is left out. */
  readonly insights?: InsightView;
}

/**
 * Memories by filters, latest change first: of the owner in `user_id`, or else of all users. Throws InvalidCursorError.
 */
export async function listMemories(tx: Tx, query: ListMemoriesQuery, scope: ListScope): Promise<MemoryPage> {
  const after = parseCursor(query.cursor, ['time', 'uuid']);
  const binder = new Binder();
  const { bind } = binder;
  binder.where((p) => `m.state = ${p}`, query.state);
  binder.where((p) => `m.user_id = ${p}`, query.user_id);
  if (query.user_id === undefined) binder.where((p) => `m.user_id <> ${p}`, GLOBAL_OWNER);
  binder.where((p) => `m.category = ${p}`, query.category);
  binder.where((p) => `m.category = ANY (${p})`, scope.categories);
  binder.where((p) => mentionsSql('m.content', `${p}::text[]`), scope.mentions);
  binder.where((p) => `m.type = ${p}`, query.type);
  binder.where((p) => `m.pinned = ${p}`, query.pinned);
  binder.where((p) => `m.updated_at > ${p}`, query.updated_after);
  binder.where((p) => `m.updated_at < ${p}`, query.updated_before);
  const conditions = [
    ...(query.include_superseded ? [] : ['m.superseded_by IS NULL']),
    ...(scope.insights ? [isServedInsightSql('m', scope.insights, bind)] : []),
    ...sourceConditions(query, bind),
    // Compared as text with microseconds: a Date would truncate them, and repeat or skip rows.
    ...(after ? [`(m.updated_at, m.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`] : []),
  ];
  const rows = await tx.query<OwnedMemoryRow & { sort_at: string }>(
    `SELECT m.user_id, ${MEMORY_COLUMNS}, m.updated_at::text AS sort_at FROM memories m
      WHERE ${binder.whereSql(...conditions)} ORDER BY m.updated_at DESC, m.id DESC LIMIT ${bind(query.limit + 1)}`,
    binder.values,
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

const SOURCE_FILTERS = ['thread_id', 'agent_id', 'run_id', 'actor_id', 'app_id'] as const;

/** Filters on the source of a memory (docs/reference/memory-model.md#scope-fields-and-source-filters). */
function sourceConditions(query: ListMemoriesQuery, bind: Bind): string[] {
  const given = SOURCE_FILTERS.filter((column) => query[column] !== undefined);
  if (given.length === 0) return [];
  const matches = given.map((column) => `s.${column} = ${bind(query[column])}`).join(' AND ');
  return [
    `EXISTS (SELECT FROM memory_sources s WHERE s.tenant_id = m.tenant_id AND s.memory_id = m.id AND ${matches})`,
  ];
}

type HistoryRow = Pick<
  HistoryEntity,
  'seq' | 'event' | 'old_ref' | 'new_ref' | 'actor' | 'content' | 'meta' | 'hash' | 'ts'
> & { memory_id: string };

/** Every write that changed a memory, newest first, or null when the tenant has no such memory. */
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
         FROM history WHERE memory_id = $1 AND ($2::bigint IS NULL OR seq < $2) ORDER BY seq DESC LIMIT $3`,
      [memoryId, after?.[0] ?? null, page.limit + 1],
    ),
  ]);
  if (exists.length === 0) return null;
  return buildPage(
    rows,
    page.limit,
    ({ seq, hash, ts, content, ...row }): HistoryEntry => {
      return {
        ...row,
        content: content === null ? null : removeHidden(content),
        seq: Number(seq),
        hash: hash.toString('hex'),
        ts: ts.toISOString(),
      };
    },
    (row) => [Number(row.seq)],
  );
}

/** The context of each of these memories, by id. */
export async function loadMemoryContexts(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, MemoryContext>> {
  if (memoryIds.length === 0) return new Map();
  const rows = await tx.query<ContextRow & Pick<MemoryEntity, 'id'>>(
    'SELECT id, emotional_context, significance, relationship_dynamics FROM memories WHERE id = ANY ($1)',
    [memoryIds],
  );
  return new Map(rows.map((row) => [row.id, toContext(row)]));
}

/** The caller's own ids of these messages, by our id; messages without one are left out. */
export async function loadExternalIds(tx: Tx, messageIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; external_id: string }>(
    'SELECT id, external_id FROM messages WHERE id = ANY ($1) AND external_id IS NOT NULL',
    [messageIds],
  );
  return new Map(rows.map(({ id, external_id: externalId }) => [id, externalId]));
}

/** Sources of the memories and turns of an answer, by id; a turn is its own source. */
export async function loadAnswerSources(
  tx: Tx,
  { memoryIds, messageIds }: { readonly memoryIds: readonly string[]; readonly messageIds: readonly string[] },
): Promise<Map<string, MemorySource[]>> {
  const [sources, turns] = await allOf([loadSources(tx, memoryIds), loadTurns(tx, messageIds)]);
  for (const turn of turns) sources.set(turn.message_id, [toSource(turn)]);
  return sources;
}

async function loadTurns(tx: Tx, messageIds: readonly string[]): Promise<Omit<SourceRow, 'memory_id'>[]> {
  if (messageIds.length === 0) return [];
  return tx.query<Omit<SourceRow, 'memory_id'>>(
    `SELECT g.conversation_id, g.id AS message_id, g.external_id, c.thread_id, g.actor_id, g.content AS quote, g.said_at
       FROM messages g JOIN conversations c ON c.tenant_id = g.tenant_id AND c.id = g.conversation_id
      WHERE g.id = ANY ($1)`,
    [messageIds],
  );
}
