import type { IdGenerator } from '@annals/domain';
import type { BudgetAdmission } from './budget-admission.js';
import type { CallReporter } from './call-reporter.js';
import type { Circuits } from './circuits.js';
import type { LedgerRow } from './ledger.js';
import type { ModelCall, RefusedCall } from './model-calls.js';
import type { RatePacer } from './rate-pacer.js';

/** The reservations of a call in flight. */
export interface AdmittedCall {
  readonly outcome: 'admitted';
  /** Reservation of the circuit breaker. */
  readonly circuitReservation: string;
  /** Reservation of the rate limiter. */
  readonly rateReservationId: string;
  readonly row: LedgerRow;
}

interface AdmissionControllerDependencies {
  readonly circuits: Circuits;
  readonly pacer: RatePacer;
  readonly budget: BudgetAdmission;
  readonly reporter: CallReporter;
  readonly ids: IdGenerator;
}

type Undo = () => Promise<void>;

/**
 * Admission control: acquires from circuit breaker, rate limiter and budgets, in this order; when one refuses, the
 * reservations of the others are cancelled in reverse order.
 */
export class AdmissionController {
  constructor(private readonly deps: AdmissionControllerDependencies) {}

  /** @throws CoordinationUnavailableError, DatabaseUnavailableError, or the reason of the call's signal */
  async admit(call: ModelCall<unknown>): Promise<AdmittedCall | RefusedCall> {
    const undo: Undo[] = [];
    try {
      const outcome = await this.acquireAll(call, undo);
      call.signal.throwIfAborted();
      if (outcome.outcome === 'admitted') return outcome;
      await runInReverse(undo);
      this.deps.reporter.refused(call, outcome);
      return outcome;
    } catch (error) {
      await runInReverse(undo);
      throw error;
    }
  }

  private async acquireAll(call: ModelCall<unknown>, undo: Undo[]): Promise<AdmittedCall | RefusedCall> {
    const { budget, circuits, pacer } = this.deps;
    const limits = await budget.readLimits(call);
    if ('outcome' in limits) return limits;
    const circuit = await circuits.acquire(call);
    if (!circuit.admitted) {
      return { outcome: 'refused', why: 'circuit', state: circuit.state, retryAt: circuit.retryAt };
    }
    const { reservation: circuitReservation } = circuit;
    undo.push(() => circuits.report(call, circuitReservation, 'abandoned'));
    const rateReservationId = this.deps.ids.next();
    const rateAdmission = await pacer.acquire(call, rateReservationId);
    if (!rateAdmission.admitted) {
      return { outcome: 'refused', why: 'rate', reason: rateAdmission.reason, retryInMs: rateAdmission.retryInMs };
    }
    undo.push(() => pacer.cancel(call, rateReservationId));
    const row = await budget.reserve(call, limits);
    if ('outcome' in row) return row;
    undo.push(() => budget.cancelCall(row));
    return { outcome: 'admitted', circuitReservation, rateReservationId, row };
  }
}

/** None of them throws: a reservation that cannot be cancelled expires or is reconciled. */
async function runInReverse(undo: readonly Undo[]): Promise<void> {
  for (const each of undo.toReversed()) await each();
}
