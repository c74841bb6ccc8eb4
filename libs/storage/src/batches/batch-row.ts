import type { Batch } from '@annals/contracts';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';

/** A row of `batches` joined with its conversation's thread. */
export type BatchRow = BatchEntity & Pick<ConversationEntity, 'thread_id'>;

/** A batch as returned by the API. */
export function toBatch(row: BatchRow): Batch {
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
