import type {
  Admission,
  AdmitOutcome,
  BudgetStore,
  CircuitState,
  ReserveOutcome,
  ReserveRequest,
} from '@annals/coordination';
import type { Clock, IdGenerator } from '@annals/domain';
import { type AdmissionMemory, BUSY_TTL_MS, yieldFor } from './admission-memory.js';
import type { BudgetAdmission } from './budget-admission.js';
import type { CallReporter } from './call-reporter.js';
import type { Circuits } from './circuits.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { CallLedger, LedgerRow } from './ledger.js';
import type { ModelCall, RefusedCall } from './model-calls.js';
import { findRates, modelKeyOf, type ModelLimits, NOT_LIMITED } from './model-limits.js';

/** Above this utilisation the rest of a minute is for required calls; below the 80 % from which those are paced. */
const YIELD_ABOVE_PERCENT = 50;

/** The reservations of a call in flight. */
export interface AdmittedCall {
  readonly outcome: 'admitted';
  /** Reservation of the circuit breaker. */
  readonly circuitReservation: string;
  /** The state in which the circuit breaker admitted the call. */
  readonly circuitState: CircuitState;
  /** Reservation of the rate limiter. */
  readonly rateReservationId: string;
  readonly row: LedgerRow;
}

/** What a call has reserved so far. */
interface Reserved {
  readonly rateReservationId: string;
  circuit?: { readonly reservation: string; readonly state: CircuitState };
  row?: LedgerRow;
  /** The store was asked and did not answer: it may have admitted the call. */
  isUnknown?: boolean;
}

interface AdmissionControllerDependencies {
  readonly admission: Admission;
  readonly budgets: BudgetStore;
  readonly budget: BudgetAdmission;
  readonly circuits: Circuits;
  readonly ledger: CallLedger;
  readonly memory: AdmissionMemory;
  readonly reporter: CallReporter;
  readonly watch: CoordinationWatch;
  readonly limits: Pick<ModelLimits, 'models'>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/**
 * Admission control (docs/reference/model-calls.md#order-of-admission): opens the ledger row, then asks circuit breaker,
 * rate limiter and budgets in one step. When something is in the way, what was reserved is given back.
 */
export class AdmissionController {
  constructor(private readonly deps: AdmissionControllerDependencies) {}

  /** @throws CoordinationUnavailableError, DatabaseUnavailableError, or the reason of the call's signal */
  async admit(call: ModelCall<unknown>): Promise<AdmittedCall | RefusedCall> {
    const reserved: Reserved = { rateReservationId: this.deps.ids.next() };
    try {
      const outcome = await this.reserveAll(call, reserved);
      call.signal.throwIfAborted();
      if (outcome.outcome === 'admitted') return outcome;
      await this.abandon(call, reserved);
      this.deps.reporter.refused(call, outcome);
      return outcome;
    } catch (error) {
      await this.abandon(call, reserved);
      throw error;
    }
  }

  private async reserveAll(call: ModelCall<unknown>, reserved: Reserved): Promise<AdmittedCall | RefusedCall> {
    const { budget, ledger, memory } = this.deps;
    const limits = await budget.readLimits(call);
    if ('outcome' in limits) return limits;
    const yielded = memory.findYield(call);
    if (yielded) return yielded;
    const isFree = call.maxCostMicroUsd === 0;
    // A refusal that is likely must not cost a ledger row, and a free call has no budget that needs the row first.
    if (isFree || memory.expectsRefusal(call)) {
      const answer = await this.ask(call, reserved);
      if ('why' in answer) return answer;
    }
    const row = isFree
      ? await ledger.open(call)
      : await budget.reserve(call, limits, (request) => this.reserve(call, reserved, request));
    if ('outcome' in row) return row;
    reserved.row = row;
    const { rateReservationId, circuit } = reserved;
    if (!circuit) throw new Error('A call was admitted without asking the circuit breaker.');
    const { reservation: circuitReservation, state: circuitState } = circuit;
    return { outcome: 'admitted', circuitReservation, circuitState, rateReservationId, row };
  }

  /** Reserves in the budgets, and in circuit breaker and rate limiter unless that was done before. */
  private reserve(
    call: ModelCall<unknown>,
    reserved: Reserved,
    request: ReserveRequest,
  ): Promise<ReserveOutcome | RefusedCall> {
    const { watch, budgets } = this.deps;
    if (!reserved.circuit) return this.ask(call, reserved, request);
    return watch.run('budgets', () => budgets.reserve(request));
  }

  private async ask(
    call: ModelCall<unknown>,
    reserved: Reserved,
    budget?: ReserveRequest,
  ): Promise<ReserveOutcome | RefusedCall> {
    const { admission, watch, clock, limits, circuits, reporter, memory } = this.deps;
    const { provider, model, tenantId, expectedTokens: tokens } = call;
    const [key, now] = [modelKeyOf(call), clock.now()];
    const { rateReservationId } = reserved;
    reserved.isUnknown = true;
    const outcome = await watch.run('admission', () =>
      admission.admit({
        circuit: key,
        rate: {
          limiter: key,
          rateReservationId,
          tenantId,
          tokens,
          limits: call.passesFailuresOn ? NOT_LIMITED : findRates(limits, provider, model),
          now,
        },
        ...(call.yieldsToInteractive && { yieldAbovePercent: YIELD_ABOVE_PERCENT }),
        ...(budget && { budget }),
      }),
    );
    reserved.isUnknown = false;
    circuits.reportTransition(call, outcome.breaker.transition);
    if (outcome.rate) {
      reporter.paced(call, outcome.rate);
      memory.recordUtilization(call, outcome.rate.utilizationPercent > YIELD_ABOVE_PERCENT, now);
    }
    if (outcome.outcome === 'admitted') {
      const { reservation, state } = outcome.breaker;
      reserved.circuit = { reservation, state };
      return { outcome: 'admitted' };
    }
    return outcome.by === 'budgets' ? outcome.budget : this.toRefusal(call, outcome, now);
  }

  private toRefusal(
    call: ModelCall<unknown>,
    outcome: Exclude<AdmitOutcome, { outcome: 'admitted' } | { by: 'budgets' }>,
    now: number,
  ): RefusedCall {
    const { memory } = this.deps;
    if (outcome.by === 'breaker') {
      const { state, retryAt } = outcome.breaker;
      memory.recordRefusal(call, retryAt);
      return { outcome: 'refused', why: 'circuit', state, retryAt };
    }
    if (outcome.by === 'yield') return yieldFor(BUSY_TTL_MS);
    const { reason, retryInMs } = outcome.rate;
    memory.recordRefusal(call, now + retryInMs);
    return { outcome: 'refused', why: 'rate', reason, retryInMs };
  }

  /** Never throws: a reservation that cannot be cancelled expires or is reconciled. */
  private async abandon(call: ModelCall<unknown>, { row, ...reserved }: Reserved): Promise<void> {
    const { ledger, admission, watch, circuits, clock } = this.deps;
    const { circuit, rateReservationId, isUnknown } = reserved;
    if (row) await ledger.cancelRow(row);
    if (!circuit && !isUnknown) return;
    const key = modelKeyOf(call);
    const closed = await watch.tryRun('admission', () =>
      admission.close({
        now: clock.now(),
        ...(circuit && { breaker: { circuit: key, reservation: circuit.reservation, outcome: 'abandoned' } }),
        rate: { limiter: key, rateReservationId, tokens: null },
        ...(row && call.maxCostMicroUsd > 0 && { budget: { ...row, reservationId: row.id, costMicroUsd: null } }),
      }),
    );
    circuits.reportTransition(call, closed?.transition);
  }
}
