import type { ExtractedItem } from '@annals/contracts';
import { type IdGenerator, makeStorable } from '@annals/domain';
import { defineRead, defineSet, JsonText } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { ExtractionEntity } from '../entities/model-answer.entity.js';
import { rankAt } from '../work/postgres-work-store.js';
import { writeSettlement, type CallSettlement } from '../ledger/settle-reservation.js';

export interface ExtractionResult {
  readonly batchId: string;
  readonly fence: number;
  /** Epoch ms. */
  readonly now: number;
  readonly provider: string;
  readonly model: string;
  readonly notice: string | null;
  /** The provider's raw answer. */
  readonly answer: string;
  /** The items that persistence has to write, in final order. */
  readonly items: readonly ExtractedItem[];
  /** Settles the call of the answer in the same transaction. Null: nothing was reserved, or no call was made. */
  readonly settlement: CallSettlement | null;
  /** Version of the prompt that was sent; null when none was. */
  readonly promptVersion: string | null;
  /** How the answer was produced: selection, repairs. Contains no personal content. */
  readonly diagnostics: object | null;
  /** Messages left out of the prompt because others have a higher salience. */
  readonly prunedMessages: number;
  /** W3C traceparent of the next stage. */
  readonly trace: string | null;
}

/**
 * Commits a provider's answer together with the work row for persistence
 * (docs/reference/batches.md#a-paid-answer-is-durable). `lost`: another worker holds the batch now and nothing was
 * written; the caller still has to settle the call.
 */
export async function completeExtraction(
  tx: Tx,
  result: ExtractionResult,
  ids: IdGenerator,
): Promise<'committed' | 'lost'> {
  const now = new Date(result.now);
  const { provider, model } = result;
  const [batch] = await tx.each(FINISH_EXTRACTION, {
    batch_id: result.batchId,
    fence: result.fence,
    extracted_at: now,
    provider,
    model,
    notice: result.notice,
    pruned_messages: result.prunedMessages,
  });
  if (!batch) return 'lost';
  tx.atCommit(
    ...(result.settlement === null ? [] : [writeSettlement(tx, result.settlement)]),
    tx.each(STORE_EXTRACTION, {
      batch_id: result.batchId,
      user_id: batch.user_id,
      provider,
      model,
      answer: makeStorable(result.answer),
      items: writeJson(result.items),
      prompt_version: result.promptVersion,
      diagnostics: result.diagnostics === null ? null : writeJson(result.diagnostics),
      created_at: now,
    }),
    tx.each(PASS_ON, {
      batch_id: result.batchId,
      work_id: ids.next(),
      generation: batch.generation,
      due_at: now,
      rank_at: rankAt(result.now, batch.priority),
      trace: result.trace,
    }),
  );
  return 'committed';
}

interface FinishGiven extends Pick<ExtractionResult, 'fence' | 'provider' | 'model' | 'notice'> {
  readonly batch_id: string;
  readonly extracted_at: Date;
  readonly pruned_messages: number;
}

const FINISH_EXTRACTION = defineSet<FinishGiven, Pick<BatchEntity, 'user_id' | 'generation' | 'priority'>>(
  `batch_id uuid, fence bigint, extracted_at timestamptz, provider text, model text, notice text,
   pruned_messages integer`,
  `UPDATE batches b
      SET state = 'persisting', lease_until = NULL, attempts = 0, revision = b.revision + 1,
          extracted_at = given.extracted_at, provider = given.provider, model = given.model, notice = given.notice,
          pruned_messages = given.pruned_messages
     FROM given
    WHERE b.id = given.batch_id AND b.fence = given.fence AND b.state = 'extracting'
   RETURNING given.w, b.user_id, b.generation, b.priority`,
);

type StoredExtraction = Omit<ExtractionEntity, 'tenant_id' | 'items' | 'diagnostics'> & {
  readonly items: JsonText;
  readonly diagnostics: JsonText | null;
};

const STORE_EXTRACTION = defineSet<StoredExtraction>(
  `batch_id uuid, user_id text, provider text, model text, answer text, items jsonb, prompt_version text,
   diagnostics jsonb, created_at timestamptz`,
  `INSERT INTO extractions (batch_id, user_id, provider, model, answer, items, prompt_version, diagnostics, created_at)
   SELECT batch_id, user_id, provider, model, answer, items, prompt_version, diagnostics, created_at FROM given
   ON CONFLICT (tenant_id, batch_id) DO UPDATE
     SET provider = excluded.provider, model = excluded.model, answer = excluded.answer, items = excluded.items,
         prompt_version = excluded.prompt_version, diagnostics = excluded.diagnostics,
         created_at = excluded.created_at`,
  'read AS (DELETE FROM call_answers a USING given WHERE a.batch_id = given.batch_id)',
);

interface PassOnGiven {
  readonly batch_id: string;
  readonly work_id: string;
  readonly generation: number;
  readonly due_at: Date;
  readonly rank_at: Date;
  readonly trace: string | null;
}

/** The extraction's work row becomes that of persistence: a batch has one row, for one stage at a time. */
const PASS_ON = defineSet<PassOnGiven>(
  'batch_id uuid, work_id uuid, generation integer, due_at timestamptz, rank_at timestamptz, trace text',
  `UPDATE work w
      SET id = given.work_id, kind = 'persistence', generation = given.generation, available_at = given.due_at,
          rank_at = given.rank_at, leased_until = NULL, released_at = NULL, checked_at = NULL,
          trace = coalesce(given.trace, w.trace)
     FROM given WHERE w.subject_id = given.batch_id AND w.kind = 'extraction'`,
);

/** A paid answer must not be lost because of a character that PostgreSQL cannot store. */
function writeJson(value: object): JsonText {
  return new JsonText(
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? makeStorable(part) : part)),
  );
}

/** What extraction committed for a batch, and its cost so far, or null. */
export async function loadExtraction(
  tx: Tx,
  batchId: string,
): Promise<{ provider: string; model: string; costMicroUsd: number; items: ExtractedItem[] } | null> {
  const [row] = await tx.each(EXTRACTION, { batch_id: batchId });
  if (!row) return null;
  return { provider: row.provider, model: row.model, costMicroUsd: Number(row.cost_micro_usd), items: row.items };
}

const EXTRACTION = defineRead<
  { batch_id: string },
  Pick<ExtractionEntity, 'provider' | 'model' | 'items'> & Pick<BatchEntity, 'cost_micro_usd'>
>(
  'batch_id uuid',
  `SELECT e.provider, e.model, e.items, b.cost_micro_usd
     FROM extractions e JOIN batches b ON b.tenant_id = e.tenant_id AND b.id = e.batch_id
    WHERE e.batch_id = given.batch_id OFFSET 0`,
);
