import { findOneTimeData, HASH_VERSION, type StoredMemory, type WritePlan } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import { keepEchoesToldAnew } from '../echoes/told-anew.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { forgetAnswers } from '../idempotency/forget-answers.js';
import { removeUnits } from '../lexical/remove-units.js';
import { columnsSql } from '../query/binder.js';

type Columns = Readonly<Partial<Record<keyof MemoryEntity, string>>>;

/** Columns of a memory that are set when it is inserted (docs/reference/writes.md#content-never-changes-in-place). */
const FIXED = {
  id: 'uuid',
  type: 'text',
  content: 'text',
  normalized_hash: 'text',
  origin: 'text',
  cost_micro_usd: 'bigint',
  term_count: 'integer',
  recorded_at: 'timestamptz',
  slot: 'text',
} as const satisfies Columns;

/** Columns that later writes change. */
const CHANGING = {
  category: 'text',
  state: 'text',
  importance: 'smallint',
  confidence: 'double precision',
  pinned: 'boolean',
  emotional_context: 'jsonb',
  significance: 'jsonb',
  relationship_dynamics: 'jsonb',
  rationale: 'text',
  provider: 'text',
  model: 'text',
  quarantine_reason: 'text',
  revision: 'integer',
  valid_from: 'timestamptz',
  valid_to: 'timestamptz',
  superseded_by: 'uuid',
  closed_at: 'timestamptz',
  former_ends: 'jsonb',
  deleted_at: 'timestamptz',
  deleted_by: 'text',
  purge_at: 'timestamptz',
} as const satisfies Columns;

const COLUMNS = { ...FIXED, ...CHANGING };
const NAMES = Object.keys(COLUMNS);

/** Columns of the rows of a JSON array. */
const recordSql = (columns: Columns) =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

const CHANGES_SQL = Object.keys(CHANGING)
  .map((name) => `${name} = r.${name}`)
  .join(', ');

/** Columns of `memories m` of a MemoryRow. */
export const MEMORY_COLUMNS = columnsSql('m', [...NAMES, 'updated_at']);

export type MemoryRow = Pick<MemoryEntity, keyof typeof COLUMNS | 'updated_at'>;

export function toStoredMemory(row: MemoryRow): StoredMemory {
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    content: row.content,
    hash: row.normalized_hash,
    state: row.state,
    origin: row.origin,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned,
    emotionalContext: row.emotional_context,
    significance: row.significance,
    relationshipDynamics: row.relationship_dynamics,
    rationale: row.rationale,
    provider: row.provider,
    model: row.model,
    costMicroUsd: Number(row.cost_micro_usd),
    quarantineReason: row.quarantine_reason,
    revision: row.revision,
    termCount: row.term_count,
    validFrom: row.valid_from.getTime(),
    validTo: row.valid_to?.getTime() ?? null,
    supersededBy: row.superseded_by,
    recordedAt: row.recorded_at.getTime(),
    closedAt: row.closed_at?.getTime() ?? null,
    formerEnds: row.former_ends ?? [],
    slot: row.slot,
    deletedAt: row.deleted_at?.getTime() ?? null,
    deletedBy: row.deleted_by,
    purgeAt: row.purge_at?.getTime() ?? null,
  };
}

const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs));

/** All rows of a plan are sent as one JSON parameter: one statement per table, for any number of rows. */
function toJsonRow(memory: StoredMemory) {
  return {
    id: memory.id,
    category: memory.category,
    type: memory.type,
    content: memory.content,
    normalized_hash: memory.hash,
    state: memory.state,
    origin: memory.origin,
    importance: memory.importance,
    confidence: memory.confidence,
    pinned: memory.pinned,
    emotional_context: memory.emotionalContext,
    significance: memory.significance,
    relationship_dynamics: memory.relationshipDynamics,
    rationale: memory.rationale,
    provider: memory.provider,
    model: memory.model,
    cost_micro_usd: memory.costMicroUsd,
    quarantine_reason: memory.quarantineReason,
    revision: memory.revision,
    term_count: memory.termCount,
    valid_from: time(memory.validFrom),
    valid_to: time(memory.validTo),
    superseded_by: memory.supersededBy,
    recorded_at: time(memory.recordedAt),
    closed_at: time(memory.closedAt),
    former_ends: memory.formerEnds.length === 0 ? null : memory.formerEnds,
    slot: memory.slot,
    deleted_at: time(memory.deletedAt),
    deleted_by: memory.deletedBy,
    purge_at: time(memory.purgeAt),
  };
}

/** When a memory is forgotten by itself; null for what somebody wrote or confirmed (docs/reference/forgetting.md#one-time-data). */
function findExpiry({ content, origin, type, recordedAt }: StoredMemory): Date | null {
  const isKept = origin === 'manual' || type === 'procedural' || type === 'insight';
  return isKept ? null : time(findOneTimeData(content, recordedAt).expiresAt);
}

/** Inserts new rows. The user's lock excludes duplicates; the unique key would fail the transaction. */
export function insertMemories(tx: Tx, userId: string, memories: readonly StoredMemory[], now: number) {
  return tx.each(INSERT_MEMORIES, {
    user_id: userId,
    updated_at: new Date(now),
    rows: memories.map((memory) => ({ ...toJsonRow(memory), expires_at: findExpiry(memory) })),
  });
}

const INSERT_MEMORIES = defineSet<{ user_id: string; updated_at: Date; rows: readonly object[] }>(
  'user_id text, updated_at timestamptz, rows json',
  `INSERT INTO memories (user_id, hash_version, updated_at, expires_at, ${NAMES.join(', ')})
   SELECT given.user_id, '${HASH_VERSION}', given.updated_at, r.expires_at, ${columnsSql('r', NAMES)}
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (${recordSql({ ...COLUMNS, expires_at: 'timestamptz' })})`,
);

export function updateMemories(tx: Tx, memories: readonly StoredMemory[], now: number) {
  return tx.execute(
    `UPDATE memories m SET updated_at = $2, ${CHANGES_SQL}
       FROM json_to_recordset($1) AS r (${recordSql({ id: FIXED.id, ...CHANGING })})
      -- Ids repeated: without statistics, the planner would read all the tenant's memories for a JSON array.
      WHERE m.id = r.id AND m.id = ANY ($3)`,
    [JSON.stringify(memories.map(toJsonRow)), new Date(now), memories.map(({ id }) => id)],
  );
}

/** Inserts cited messages with their scope (docs/reference/memory-model.md#scope-fields-and-source-filters). */
export function insertSources(tx: Tx, sources: WritePlan['sources']) {
  const rows = sources.map((s) => ({ memory_id: s.memoryId, message_id: s.messageId, quote: s.quote }));
  return tx.each(INSERT_SOURCES, { rows });
}

const INSERT_SOURCES = defineSet<{ rows: readonly object[] }>(
  'rows json',
  `INSERT INTO memory_sources (memory_id, message_id, conversation_id, user_id, thread_id, agent_id, run_id,
                               actor_id, app_id, role, quote, said_at, batch_id)
   SELECT r.memory_id, m.id, m.conversation_id, m.user_id, m.thread_id, m.agent_id, m.run_id, m.actor_id, m.app_id,
          m.role, r.quote, m.said_at, m.batch_id
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows) AS r (memory_id uuid, message_id uuid, quote text)
     -- A look-up for each: as a join, the planner would read all the tenant's messages for a JSON array of any length.
     CROSS JOIN LATERAL (
       SELECT s.*, c.user_id, c.thread_id
         FROM messages s JOIN conversations c ON c.tenant_id = s.tenant_id AND c.id = s.conversation_id
        WHERE s.id = r.message_id OFFSET 0) m
   ON CONFLICT DO NOTHING`,
);

export function copySources(tx: Tx, copies: WritePlan['sourceCopies']) {
  return tx.execute(
    `INSERT INTO memory_sources (memory_id, message_id, conversation_id, user_id, thread_id, agent_id, run_id,
                                 actor_id, app_id, role, quote, said_at, batch_id)
     SELECT r.to_id, s.message_id, s.conversation_id, s.user_id, s.thread_id, s.agent_id, s.run_id, s.actor_id,
            s.app_id, s.role, s.quote, s.said_at, s.batch_id
       FROM json_to_recordset($1) AS r (from_id uuid, to_id uuid)
       JOIN memory_sources s ON s.memory_id = r.from_id
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(copies.map((copy) => ({ from_id: copy.fromId, to_id: copy.toId })))],
  );
}

/** Deletes memories irrevocably, with all that refers to their content. Fails unless each is deleted and due. */
export function purgeMemoryRows(tx: Tx, userId: string, memoryIds: readonly string[], now: number): Promise<unknown>[] {
  return [
    removeUnits(tx, { userId, memoryIds }),
    forgetAnswers(tx, { userId, ids: memoryIds }),
    keepEchoesToldAnew(tx, userId, memoryIds),
    tx.execute('SELECT hide_echoes($1, $2)', [memoryIds, new Date(now)]),
    tx.execute('SELECT purge_memories($1, $2)', [memoryIds, new Date(now)]),
  ];
}
