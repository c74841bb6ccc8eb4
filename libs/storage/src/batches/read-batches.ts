import type { Batch, BatchPage, ListBatchesQuery } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import { Binder, columnsSql } from '../query/binder.js';

const COLUMNS = [
  'id',
  'conversation_id',
  'user_id',
  'state',
  'priority',
  'message_count',
  'pruned_messages',
  'sealed_at',
  'inserted',
  'updated',
  'skipped_duplicate',
  'quarantined',
  'provider',
  'model',
  'input_tokens',
  'output_tokens',
  'cost_micro_usd',
  'attempts',
  'generation',
  'error_code',
  'error_message',
  'notice',
  'accepted_at',
  'started_at',
  'extracted_at',
  'finished_at',
  'deferred_until',
  'deferred_reason',
  'shortfall_micro_usd',
] as const satisfies readonly (keyof BatchEntity)[];

/** A row of `batches` joined with its conversation's thread. */
type BatchRow = Pick<BatchEntity, (typeof COLUMNS)[number]> & Pick<ConversationEntity, 'thread_id'>;

const SELECT_BATCHES = `SELECT ${columnsSql('b', COLUMNS)}, c.thread_id FROM batches b
  JOIN conversations c ON c.tenant_id = b.tenant_id AND c.id = b.conversation_id`;

/** A batch as returned by the API. */
function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    user_id: row.user_id,
    thread_id: row.thread_id,
    status: row.state,
    priority: row.priority,
    messages: row.message_count,
    pruned_messages: row.pruned_messages,
    sealed: row.sealed_at !== null,
    inserted: row.inserted,
    updated: row.updated,
    skipped_duplicate: row.skipped_duplicate,
    quarantined: row.quarantined,
    provider: row.provider,
    model: row.model,
    tokens: { input: row.input_tokens, output: row.output_tokens },
    cost_micro_usd: Number(row.cost_micro_usd),
    attempts: row.attempts,
    generation: row.generation,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    notice: row.notice,
    accepted_at: row.accepted_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    extracted_at: row.extracted_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    deferred_until: row.deferred_until?.toISOString() ?? null,
    // A worker of the previous release leaves the value set when it claims the batch.
    deferred_reason: row.state === 'deferred' ? row.deferred_reason : null,
    shortfall_micro_usd:
      row.state !== 'deferred' || row.shortfall_micro_usd === null ? null : Number(row.shortfall_micro_usd),
  };
}

/** The batches of these ids in the order given; ids the tenant does not have are left out. */
export async function getBatches(tx: Tx, ids: readonly string[]): Promise<Batch[]> {
  const rows = await tx.query<BatchRow>(`${SELECT_BATCHES} WHERE b.id = ANY ($1)`, [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => (byId.has(id) ? [toBatch(byId.get(id)!)] : []));
}

/** Whether a message came through this agent (docs/reference/memory-model.md#scope-fields-and-source-filters). */
export async function isBatchOfAgent(tx: Tx, id: string, agentId: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM messages WHERE batch_id = $1 AND agent_id = $2 LIMIT 1', [id, agentId]);
  return rows.length > 0;
}

/** The revision of each batch: a cheap check for changes. */
export async function readBatchRevisions(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<Pick<BatchEntity, 'id' | 'revision'>>(
    'SELECT id, revision FROM batches WHERE id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.revision]));
}

/** Batches by filters, newest first; `agentId`: those with a message of this agent. Throws InvalidCursorError. */
export async function listBatches(
  tx: Tx,
  query: ListBatchesQuery & { readonly agentId: string | null },
): Promise<BatchPage> {
  const before = parseCursor(query.cursor, ['uuid']);
  const binder = new Binder();
  binder.where((p) => `b.id < ${p}`, before?.[0]);
  // Filters by the conversation: there is an index for a user's threads, but none for a user's batches.
  binder.where((p) => `c.user_id = ${p}`, query.user_id);
  binder.where((p) => `c.thread_id = ${p}`, query.thread_id);
  binder.where((p) => `b.conversation_id = ${p}`, query.conversation_id);
  binder.where((p) => `b.state = ${p}`, query.status);
  binder.where(
    (p) =>
      `EXISTS (SELECT FROM messages m WHERE m.tenant_id = b.tenant_id AND m.batch_id = b.id AND m.agent_id = ${p})`,
    query.agentId,
  );
  // Matches the partial index of failed batches.
  const isFailed = query.status === 'failed' ? ['b.error_code IS NOT NULL'] : [];
  const rows = await tx.query<BatchRow>(
    `${SELECT_BATCHES} WHERE ${binder.whereSql(...isFailed)} ORDER BY b.id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(rows, query.limit, toBatch, (row) => [row.id]);
}
