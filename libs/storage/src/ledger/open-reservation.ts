import type { CallOperation } from '@annals/contracts';
import type { Database } from '../database/database.js';
import { defineSet } from '../database/set-statement.js';
import { allOf, NO_TENANT, type Tx } from '../database/transaction.js';
import type { BudgetEpochEntity } from '../entities/budget.entity.js';
import type { ReservationEntity } from '../entities/ledger.entity.js';
import { BUDGET_LOCK } from './budget-lock.js';

/** Budget reservation for one call, made before it is sent. */
export interface NewReservation {
  /** Also the id of the call's usage row. */
  readonly id: string;
  readonly batchId: string | null;
  readonly userId: string | null;
  readonly operation: CallOperation;
  readonly provider: string;
  readonly model: string;
  /** Upper bound of what the call can cost. */
  readonly amountMicroUsd: number;
  /** UTC day that is charged, `YYYY-MM-DD` (docs/reference/budgets.md#settlement-in-the-day-of-admission). */
  readonly day: string;
  /** The fence of the worker's lease and the generation that the call counts towards; null without a batch. */
  readonly fence: number | null;
  readonly generation: number | null;
  /** Epoch ms. */
  readonly now: number;
  /** Epoch ms from which the call counts as lost with its worker. */
  readonly expiresAt: number;
}

/**
 * Inserts the reservation of a call before its admission and returns the day's epoch, 0 when it has none yet. Commit
 * before the budget store is called, so that a later raise of the epoch includes the row.
 */
export async function openReservation(tx: Tx, reservation: NewReservation): Promise<{ epoch: number }> {
  const [, , [row]] = await allOf([
    // Before the lock: the tenant's deletion may block this statement, which must not block other transactions
    // meanwhile.
    tx.each(RESERVE, {
      id: reservation.id,
      batch_id: reservation.batchId,
      user_id: reservation.userId,
      operation: reservation.operation,
      provider: reservation.provider,
      model: reservation.model,
      amount_micro_usd: reservation.amountMicroUsd,
      day: reservation.day,
      fence: reservation.fence,
      generation: reservation.generation,
      created_at: new Date(reservation.now),
      expires_at: new Date(reservation.expiresAt),
    }),
    // A separate statement, so that the next one sees what is committed once the lock is acquired.
    tx.each(LOCK_BUDGET, {}),
    tx.each(EPOCH, { day: reservation.day }),
  ]);
  return { epoch: row!.epoch };
}

type ReservationRow = Pick<
  ReservationEntity,
  | 'id'
  | 'batch_id'
  | 'user_id'
  | 'operation'
  | 'provider'
  | 'model'
  | 'day'
  | 'generation'
  | 'created_at'
  | 'expires_at'
> & { readonly amount_micro_usd: number; readonly fence: number | null };

const RESERVE = defineSet<ReservationRow>(
  `id uuid, batch_id uuid, user_id text, operation text, provider text, model text, amount_micro_usd bigint, day date,
   fence bigint, generation integer, created_at timestamptz, expires_at timestamptz`,
  `INSERT INTO reservations (id, batch_id, user_id, operation, provider, model, amount_micro_usd, day, fence,
                             generation, created_at, expires_at)
   SELECT id, batch_id, user_id, operation, provider, model, amount_micro_usd, day, fence, generation, created_at,
          expires_at
     FROM given`,
);

const LOCK_BUDGET = defineSet<object, object>(
  '',
  `SELECT given.w, pg_advisory_xact_lock_shared(${BUDGET_LOCK}) FROM given`,
);

const EPOCH = defineSet<Pick<ReservationEntity, 'day'>, Pick<BudgetEpochEntity, 'epoch'>>(
  'day date',
  `SELECT given.w, coalesce((SELECT e.epoch FROM budget_epochs e WHERE e.day = given.day), 0) AS epoch FROM given`,
);

/** The day's current epoch, 0 when it has none. */
export async function readBudgetEpoch(database: Pick<Database, 'readTenant'>, day: string): Promise<number> {
  const [row] = await database.readTenant(NO_TENANT, (tx) =>
    tx.query<Pick<BudgetEpochEntity, 'epoch'>>('SELECT epoch FROM budget_epochs WHERE day = $1', [day]),
  );
  return row?.epoch ?? 0;
}

/**
 * Cancels a reservation whose call was never sent. False when it no longer exists. In a transaction that also changes
 * the batch, change the batch first, since all transactions lock them in that order.
 */
export async function cancelReservation(tx: Tx, id: string): Promise<boolean> {
  return (await tx.execute('DELETE FROM reservations WHERE id = $1', [id])) === 1;
}
