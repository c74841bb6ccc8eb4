import type { RateAdmission, RateGate } from '@annals/coordination';
import type { Clock, IdGenerator } from '@annals/domain';
import type { BudgetGate } from './budget-gate.js';
import type { CallReporter } from './call-reporter.js';
import type { Circuits } from './circuits.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { LedgerRow } from './ledger.js';
import type { ModelCall, RefusedCall } from './model-calls.js';
import { findRates, type ModelLimits, nameCircuit } from './model-limits.js';

/** What a call holds while it is under way. */
export interface AdmittedCall {
  readonly outcome: 'admitted';
  /** Of the breaker. */
  readonly permit: string;
  /** Of the rate gate. */
  readonly ticketId: string;
  readonly row: LedgerRow;
}

interface AdmissionDependencies {
  readonly circuits: Circuits;
  readonly rates: RateGate;
  readonly budget: BudgetGate;
  readonly watch: CoordinationWatch;
  readonly reporter: CallReporter;
  readonly limits: Pick<ModelLimits, 'models'>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

type Undo = () => Promise<void>;

/** Asks breaker, rate gate and budgets, in this order; when one refuses, what the others gave is given back in reverse. */
export class Admission {
  constructor(private readonly deps: AdmissionDependencies) {}

  /** @throws CoordinationUnavailableError, DatabaseUnavailableError, or the reason of the call's signal */
  async admit(call: ModelCall<unknown>): Promise<AdmittedCall | RefusedCall> {
    const undo: Undo[] = [];
    try {
      const outcome = await this.ask(call, undo);
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

  private async ask(call: ModelCall<unknown>, undo: Undo[]): Promise<AdmittedCall | RefusedCall> {
    const { budget, circuits } = this.deps;
    const limits = await budget.readLimits(call);
    if ('outcome' in limits) return limits;
    const circuit = await circuits.acquire(call);
    if (!circuit.admitted) {
      return { outcome: 'refused', why: 'circuit', state: circuit.state, retryAt: circuit.retryAt };
    }
    const { permit } = circuit;
    undo.push(() => circuits.report(call, permit, 'abandoned'));
    const ticketId = this.deps.ids.next();
    const pace = await this.pace(call, ticketId);
    if (!pace.admitted) {
      return { outcome: 'refused', why: 'rate', reason: pace.reason, retryInMs: pace.retryInMs };
    }
    undo.push(() => this.cancelTicket(call, ticketId));
    const row = await budget.reserve(call, limits);
    if ('outcome' in row) return row;
    undo.push(() => budget.giveBack(row));
    return { outcome: 'admitted', permit, ticketId, row };
  }

  private async pace(call: ModelCall<unknown>, ticketId: string): Promise<RateAdmission> {
    const { watch, rates, limits, clock, reporter } = this.deps;
    const { provider, model, tenantId, expectedTokens } = call;
    const admission = await watch.ask('rates', () =>
      rates.acquire({
        gate: nameCircuit(provider, model),
        ticketId,
        tenantId,
        tokens: expectedTokens,
        limits: findRates(limits, provider, model),
        now: clock.now(),
      }),
    );
    reporter.paced(call, admission);
    return admission;
  }

  private async cancelTicket({ provider, model }: ModelCall<unknown>, ticketId: string): Promise<void> {
    const { watch, rates, clock } = this.deps;
    await watch.tell('rates', () => rates.cancel({ gate: nameCircuit(provider, model), ticketId, now: clock.now() }));
  }
}

/** None of them throws: what cannot be given back runs out or is reconciled. */
async function runInReverse(undo: readonly Undo[]): Promise<void> {
  for (const each of undo.toReversed()) await each();
}
