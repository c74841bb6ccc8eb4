import type { CircuitStatus } from '@annals/coordination';
import { type Clock, startDeadline } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { withSpan } from '@annals/observability';
import type { CallSettlement } from '@annals/storage';
import type { AdmissionController, AdmittedCall } from './admission-controller.js';
import type { CallReporter } from './call-reporter.js';
import type { Circuits } from './circuits.js';
import { classifyFailure, toSettledUsage } from './classify-failure.js';
import type {
  AnsweredCall,
  FailedCall,
  Invocation,
  ModelCall,
  ModelCallResult,
  ModelCalls,
  UnreadableAnswer,
} from './model-calls.js';
import { type CallEnd, extractObservedLimits, type Settlement, type WriteOutcome } from './settlement.js';

interface RemoteModelCallsDependencies {
  readonly admission: AdmissionController;
  readonly settlement: Settlement;
  readonly circuits: Circuits;
  readonly reporter: CallReporter;
  readonly clock: Clock;
  /** Called after each call that a provider answered. */
  readonly onAnswer: ((provider: string, model: string) => void) | undefined;
}

/** The sequence of a call; each step has its own class. */
export class RemoteModelCalls implements ModelCalls {
  constructor(private readonly deps: RemoteModelCallsDependencies) {}

  async run<T>(call: ModelCall<T>): Promise<ModelCallResult<T>> {
    assertMicroUsd('maxCostMicroUsd', call.maxCostMicroUsd);
    call.signal.throwIfAborted();
    const admitted = await this.deps.admission.admit(call);
    if (admitted.outcome === 'refused') return admitted;
    const { clock, reporter } = this.deps;
    const startedMs = clock.monotonicNow();
    const { signal: deadline, timer } = startDeadline(clock, call.timeoutMs, () => createTimeout(call));
    reporter.started(call, admitted);
    try {
      const invocation = await this.invoke(call, AbortSignal.any([call.signal, deadline]));
      return this.answer(call, admitted, invocation, clock.monotonicNow() - startedMs);
    } catch (thrown) {
      const failed = await this.fail(call, admitted, {
        thrown,
        deadline,
        durationMs: clock.monotonicNow() - startedMs,
      });
      if (call.signal.aborted) throw call.signal.reason;
      return failed;
    } finally {
      timer.stop();
    }
  }

  readCircuit(provider: string, model: string): Promise<CircuitStatus> {
    return this.deps.circuits.read({ provider, model });
  }

  private async invoke<T>(call: ModelCall<T>, signal: AbortSignal): Promise<Invocation<T>> {
    const { provider, model, operation } = call;
    const attributes = { 'annals.provider': provider, 'annals.model': model, 'annals.operation': operation };
    const invocation = await withSpan('provider_call', attributes, () => call.invoke(signal));
    assertMicroUsd('costMicroUsd', invocation.costMicroUsd);
    return invocation;
  }

  private answer<T>(
    call: ModelCall<T>,
    admitted: AdmittedCall,
    { value, usage, costMicroUsd, rateLimits }: Invocation<T>,
    durationMs: number,
  ): AnsweredCall<T> {
    const { clock, reporter, onAnswer } = this.deps;
    const settlement: CallSettlement = {
      reservationId: admitted.row.id,
      outcome: 'ok',
      usage: toSettledUsage(usage),
      costMicroUsd,
      durationMs,
      now: clock.now(),
    };
    onAnswer?.(call.provider, call.model);
    reporter.answered(call, admitted, settlement);
    const end: CallEnd = { breaker: 'success', observed: rateLimits };
    let closing: Promise<void> | undefined;
    return {
      outcome: 'answered',
      callId: admitted.row.id,
      value,
      usage,
      costMicroUsd,
      durationMs,
      settlement,
      close: (written) =>
        (closing ??=
          written === 'not_written'
            ? this.settle(call, admitted, settlement, end)
            : this.deps.settlement.notify(call, admitted, settlement, end, written === 'gone' ? 'gone' : 'settled')),
      reject: (error, answer) => this.reject(call, admitted, { settlement, end, error, answer }),
    };
  }

  private async reject(
    call: ModelCall<unknown>,
    admitted: AdmittedCall,
    { settlement, end, error, answer }: RejectedAnswer,
  ): Promise<FailedCall> {
    const { text, problem } = answer;
    const unread: CallSettlement = { ...settlement, outcome: 'parsing', answer: { text, problem } };
    this.deps.reporter.rejected(call, admitted, unread, error);
    await this.settle(call, admitted, unread, end);
    return { outcome: 'failed', callId: admitted.row.id, error, costMicroUsd: unread.costMicroUsd };
  }

  private async fail(
    call: ModelCall<unknown>,
    admitted: AdmittedCall,
    { thrown, deadline, durationMs }: { thrown: unknown; deadline: AbortSignal; durationMs: number },
  ): Promise<FailedCall> {
    const { clock, reporter } = this.deps;
    const { provider, maxCostMicroUsd, signal } = call;
    const ended = signal.aborted ? 'by_caller' : deadline.aborted ? 'by_timeout' : undefined;
    const { error, outcome, usage, costMicroUsd, breaker } = classifyFailure({
      thrown,
      provider,
      maxCostMicroUsd,
      ended,
    });
    const now = clock.now();
    const reservationId = admitted.row.id;
    const settlement: CallSettlement = { reservationId, outcome, usage, costMicroUsd, durationMs, now };
    reporter.failed(call, admitted, settlement, error);
    const end: CallEnd = call.passesFailuresOn
      ? { breaker: 'abandoned', observed: undefined }
      : { breaker, observed: extractObservedLimits(error, now) };
    await this.settle(call, admitted, settlement, end);
    return { outcome: 'failed', callId: reservationId, error, costMicroUsd };
  }

  private async settle(
    call: ModelCall<unknown>,
    admitted: AdmittedCall,
    settlement: CallSettlement,
    end: CallEnd,
  ): Promise<void> {
    const written: WriteOutcome = await this.deps.settlement.write(call, settlement);
    await this.deps.settlement.notify(call, admitted, settlement, end, written);
  }
}

interface RejectedAnswer {
  readonly settlement: CallSettlement;
  readonly end: CallEnd;
  readonly error: LLMError;
  readonly answer: UnreadableAnswer;
}

function createTimeout({ provider }: ModelCall<unknown>): LLMError {
  return new LLMError('timeout', `${provider} did not answer in time.`, { provider });
}

/** See docs/reference/budgets.md#valid-amounts. */
function assertMicroUsd(field: string, amount: number): void {
  if (Number.isSafeInteger(amount) && amount >= 0) return;
  throw new RangeError(`${field} must be a whole number of micro-USD, 0 or more, not ${amount}.`);
}
