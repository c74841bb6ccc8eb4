import { makeStorable } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
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
  return settled.length === 1 ? 'settled' : 'gone';
}

/** The same for a caller that has locked the batch. Returns a row, or none when the reservation no longer exists. */
export function writeSettlement(tx: Tx, { usage, answer, ...settlement }: CallSettlement): Promise<object[]> {
  return tx.each(SETTLE, {
    reservation_id: settlement.reservationId,
    outcome: settlement.outcome,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    estimated: usage.estimated,
    cost_micro_usd: settlement.costMicroUsd,
    duration_ms: Math.round(settlement.durationMs),
    settled_at: new Date(settlement.now),
    answer: answer ? makeStorable(answer.text) : null,
    problem: answer ? makeStorable(answer.problem) : null,
  });
}

interface SettleGiven {
  readonly reservation_id: string;
  readonly outcome: CallOutcome;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly estimated: boolean;
  readonly cost_micro_usd: number;
  readonly duration_ms: number;
  readonly settled_at: Date;
  readonly answer: string | null;
  readonly problem: string | null;
}

const SETTLE = defineSet<SettleGiven, object>(
  `reservation_id uuid, outcome text, input_tokens integer, output_tokens integer, cache_read_tokens integer,
   cache_write_tokens integer, estimated boolean, cost_micro_usd bigint, duration_ms integer, settled_at timestamptz,
   answer text, problem text`,
  'SELECT w FROM closed',
  `closed AS (
     DELETE FROM reservations r USING given WHERE r.id = given.reservation_id
     RETURNING r.id, r.batch_id, r.user_id, r.operation, r.provider, r.model, r.generation, r.day, given.*
   ), charged AS (
     UPDATE batches b
        SET input_tokens = b.input_tokens + c.input_tokens, output_tokens = b.output_tokens + c.output_tokens,
            cost_micro_usd = b.cost_micro_usd + c.cost_micro_usd, revision = b.revision + 1
       -- Summed: an UPDATE changes a row once, and two of a batch's calls may be settled by one statement.
       FROM (SELECT batch_id, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
                    sum(cost_micro_usd) AS cost_micro_usd
               FROM closed GROUP BY batch_id) c
      WHERE b.id = c.batch_id
   ), unread AS (
     INSERT INTO call_answers (call_id, batch_id, user_id, provider, model, answer, problem, created_at)
     SELECT c.id, c.batch_id, c.user_id, c.provider, c.model, c.answer, c.problem, c.settled_at FROM closed c
      WHERE c.answer IS NOT NULL AND c.batch_id IS NOT NULL
   ), used AS (
     INSERT INTO usage (id, batch_id, user_id, operation, provider, model, generation, outcome, input_tokens,
                        output_tokens, cache_read_tokens, cache_write_tokens, estimated, cost_micro_usd, duration_ms,
                        day, ts)
     SELECT c.id, c.batch_id, c.user_id, c.operation, c.provider, c.model, c.generation, c.outcome, c.input_tokens,
            c.output_tokens, c.cache_read_tokens, c.cache_write_tokens, c.estimated, c.cost_micro_usd, c.duration_ms,
            c.day, c.settled_at
       FROM closed c
   )`,
);
