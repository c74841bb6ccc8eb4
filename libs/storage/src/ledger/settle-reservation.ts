import { makeStorable } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { CallOutcome } from '../entities/ledger.entity.js';

/** Outcome and cost of a call. */
export interface CallSettlement {
  readonly reservationId: string;
  readonly outcome: CallOutcome;
  readonly usage: {
    /** All input tokens, cached or not; the cache figures are parts of it. */
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
    /** The provider reported no figures: these are our estimates. */
    readonly estimated: boolean;
  };
  readonly costMicroUsd: number;
  readonly durationMs: number;
  /** A paid answer that could not be parsed, with the reason: stored so that it is not paid for twice. */
  readonly answer?: { readonly text: string; readonly problem: string };
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Turns a reservation into usage, charged to the day that admitted it, and adds it to its batch. `gone`: it was settled
 * already, also as lost, or cancelled; nothing was written.
 */
export async function settleReservation(tx: Tx, settlement: CallSettlement): Promise<'settled' | 'gone'> {
  const [, settled] = await allOf([
    // Locks the batch before the reservation, like every transaction that locks both.
    tx.query(
      `SELECT FROM batches
        WHERE id = (SELECT r.batch_id FROM reservations r WHERE r.id = $1) FOR NO KEY UPDATE`,
      [settlement.reservationId],
    ),
    writeSettlement(tx, settlement),
  ]);
  return settled === 1 ? 'settled' : 'gone';
}

/** The same for a caller that has locked the batch. Returns 1, or 0 when the reservation no longer exists. */
export function writeSettlement(tx: Tx, { usage, answer, ...settlement }: CallSettlement): Promise<number> {
  return tx.execute(
    `WITH closed AS (
       DELETE FROM reservations WHERE id = $1 RETURNING *
     ), charged AS (
       UPDATE batches b
          SET input_tokens = b.input_tokens + $3, output_tokens = b.output_tokens + $4,
              cost_micro_usd = b.cost_micro_usd + $8, revision = b.revision + 1
         FROM closed c WHERE b.id = c.batch_id
     ), unread AS (
       INSERT INTO call_answers (call_id, batch_id, user_id, provider, model, answer, problem, created_at)
       SELECT c.id, c.batch_id, c.user_id, c.provider, c.model, $11, $12, $10 FROM closed c
        WHERE $11::text IS NOT NULL AND c.batch_id IS NOT NULL
     )
     INSERT INTO usage (id, batch_id, user_id, operation, provider, model, generation, outcome, input_tokens,
                        output_tokens, cache_read_tokens, cache_write_tokens, estimated, cost_micro_usd, duration_ms,
                        day, ts)
     SELECT c.id, c.batch_id, c.user_id, c.operation, c.provider, c.model, c.generation, $2, $3, $4, $5, $6, $7, $8, $9,
            c.day, $10
       FROM closed c`,
    [
      settlement.reservationId,
      settlement.outcome,
      usage.inputTokens,
      usage.outputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.estimated,
      settlement.costMicroUsd,
      Math.round(settlement.durationMs),
      new Date(settlement.now),
      answer ? makeStorable(answer.text) : null,
      answer ? makeStorable(answer.problem) : null,
    ],
  );
}
