import type { Clock, IdGenerator } from '@annals/domain';
import {
  type CallSettlement,
  cancelReservation,
  type Database,
  DatabaseUnavailableError,
  openReservation,
  settleReservation,
} from '@annals/storage';
import { toBudgetDay } from './budget-day.js';
import type { ModelCall } from './model-calls.js';

/** The ledger row of a call, open until it is settled or cancelled. */
export interface LedgerRow {
  readonly id: string;
  readonly tenantId: string;
  readonly provider: string;
  readonly day: string;
  /** The epoch of the day when the row was written. */
  readonly epoch: number;
  /** Epoch ms from which its worker is considered dead. */
  readonly expiresAt: number;
}

/** Maximum difference between the clocks of two machines. */
const CLOCK_SKEW_MS = 5_000;

/** Failed statements queued for the next round; beyond this number the calls count as lost. */
const MAX_PENDING = 10_000;

interface PendingWrite {
  readonly tenantId: string;
  write(): Promise<unknown>;
}

/** A settlement that can never be written: its row expires and is charged in full. */
export interface UnwritableSettlement {
  readonly tenantId: string;
  readonly callId: string;
  readonly error: unknown;
}

interface LedgerDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Time to settle a call after its timeout, in ms. */
  readonly settlingMarginMs: number;
}

/**
 * The ledger, the source of truth about spend, in small transactions of the tenant
 * (docs/reference/budgets.md#ledger-and-counters). A write that fails because the database is unreachable is queued in
 * this process and repeated by `catchUp`; if the process dies first, the row stays open and the reconciler charges it
 * in full.
 */
export class CallLedger {
  private readonly pending = new Map<string, PendingWrite>();

  constructor(private readonly deps: LedgerDependencies) {}

  /** @throws DatabaseUnavailableError; then no row is open, or it will be cancelled. */
  async open(call: ModelCall<unknown>): Promise<LedgerRow> {
    const { database, clock, ids, settlingMarginMs } = this.deps;
    const now = clock.now();
    const { tenantId, userId, batch, operation, provider, model } = call;
    const expiresAt = now + call.timeoutMs + settlingMarginMs;
    const row = { id: ids.next(), tenantId, provider, day: toBudgetDay(now), expiresAt };
    try {
      const { epoch } = await database.inTenantTogether(tenantId, row.id, (tx) =>
        openReservation(tx, {
          id: row.id,
          batchId: batch?.batchId ?? null,
          userId,
          operation,
          provider,
          model,
          amountMicroUsd: call.maxCostMicroUsd,
          day: row.day,
          fence: batch?.fence ?? null,
          generation: batch?.generation ?? null,
          now,
          expiresAt,
        }),
      );
      return { ...row, epoch };
    } catch (error) {
      // The connection may have broken after the commit.
      this.queueWrite(row, () => this.cancel(row));
      throw error;
    }
  }

  /** Whether a reconciler may have closed the row by now, as the row of a dead worker. */
  isLate({ expiresAt }: Pick<LedgerRow, 'expiresAt'>): boolean {
    return this.deps.clock.now() >= expiresAt - CLOCK_SKEW_MS;
  }

  /** Cancels the row of a call that was not sent. Never throws. */
  async cancelRow(row: Pick<LedgerRow, 'id' | 'tenantId'>): Promise<void> {
    try {
      await this.cancel(row);
    } catch {
      this.queueWrite(row, () => this.cancel(row));
    }
  }

  /** Throws the error of the database; the settlement is then queued for `catchUp`. */
  async settle(tenantId: string, settlement: CallSettlement): Promise<'settled' | 'gone'> {
    const settle = () =>
      this.deps.database.inTenantTogether(tenantId, settlement.reservationId, (tx) =>
        settleReservation(tx, settlement),
      );
    try {
      return await settle();
    } catch (error) {
      this.queueWrite({ id: settlement.reservationId, tenantId }, settle);
      throw error;
    }
  }

  /** Repeats queued writes. @throws DatabaseUnavailableError; the remaining writes stay queued */
  async catchUp(): Promise<readonly UnwritableSettlement[]> {
    const unwritable: UnwritableSettlement[] = [];
    for (const [callId, pending] of this.pending) {
      try {
        await pending.write();
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        unwritable.push({ tenantId: pending.tenantId, callId, error });
      }
      this.pending.delete(callId);
    }
    return unwritable;
  }

  private cancel({ id, tenantId }: Pick<LedgerRow, 'id' | 'tenantId'>): Promise<boolean> {
    return this.deps.database.inTenant(tenantId, (tx) => cancelReservation(tx, id));
  }

  private queueWrite({ id, tenantId }: Pick<LedgerRow, 'id' | 'tenantId'>, write: () => Promise<unknown>): void {
    if (this.pending.size < MAX_PENDING) this.pending.set(id, { tenantId, write });
  }
}
