import type { CallOperation } from '@annals/contracts';
import type { BudgetScope, CircuitState, CircuitStatus, RateRefusal } from '@annals/coordination';
import type { BillingContext, LLMError, RateLimitReport, TokenUsage } from '@annals/llm-core';
import type { CallSettlement } from '@annals/storage';

/** The claim of a worker on its batch: the ledger then counts the call to the batch and to this generation of it. */
export type CallBatch = Readonly<NonNullable<BillingContext['batch']>>;

/** A request for one call of a remote model. */
export interface ModelCall<T> extends Readonly<BillingContext> {
  readonly operation: CallOperation;
  /** Provider and model as configured: together they identify the circuit and the rate limiter. */
  readonly provider: string;
  readonly model: string;
  /**
   * Upper bound of the cost (docs/reference/budgets.md#upper-bound-of-a-call), a whole number of micro-USD:
   * `provider.estimateMaxCost(request)`. 0 for an endpoint that is free of charge: budgets are not checked then,
   * everything else stays the same.
   */
  readonly maxCostMicroUsd: number;
  /** Expected input and output tokens, for the rate limiter. */
  readonly expectedTokens: number;
  /** From sending to the end of the response, in ms. A call that takes longer is a `timeout`. */
  readonly timeoutMs: number;
  /** Aborting it rejects `run` with its reason: on shutdown, when the lease is lost, when the caller disconnects. */
  readonly signal: AbortSignal;
  /** For an optional call: it is refused while more than half of the rate limit of the minute is used. */
  readonly yieldsToInteractive?: boolean;
  /**
   * Whether its caller is told every failure as the provider gave it, and decides on retries itself: neither the circuit
   * breaker nor the rate limiter of the model refuses it, and its failures count for neither.
   */
  readonly passesFailuresOn?: true;
  /** Counts from 1, for log events. Default 1. */
  readonly attempt?: number;
  /**
   * Sends the request once and returns the answer; rejects with an LLMError when it failed, with `usage` and
   * `costMicroUsd` when the provider charges for the failure. Must end when `signal` is aborted.
   */
  invoke(signal: AbortSignal): Promise<Invocation<T>>;
}

/** An answer with its usage and cost. */
export interface Invocation<T> {
  readonly value: T;
  readonly usage: TokenUsage;
  /** A whole number of micro-USD. */
  readonly costMicroUsd: number;
  readonly rateLimits?: RateLimitReport | undefined;
}

/** An answer that was paid for but cannot be used. */
export interface UnreadableAnswer {
  /** The raw answer. It is stored with the call (`call_answers`), so that it is never bought twice. */
  readonly text: string;
  /** Description of the error, without quoting the answer: the `problem` of a corrective call. */
  readonly problem: string;
}

/**
 * The provider answered. The cost is still reserved: settle it exactly once, by one of
 *
 * - your own transaction: `completeExtraction(tx, { …, settlement })` or `settleReservation(tx, settlement)`, then
 *   `close('committed')` — the answer and its cost are durable together;
 *   (`close('gone')` when it returned that the reservation is gone: the reconciler has charged the call in full);
 * - `close('not_written')`: the answer will not be used (the lease was lost, the write failed). Writes the settlement
 *   itself;
 * - `reject(…)`: the answer cannot be parsed. Writes the settlement itself and stores the answer.
 *
 * A process that dies in between leaves the reservation's row, which the reconciler charges in full.
 */
export interface AnsweredCall<T> {
  readonly outcome: 'answered';
  /** Id of the reservation, and of the row in `usage` that replaces it. */
  readonly callId: string;
  readonly value: T;
  readonly usage: TokenUsage;
  readonly costMicroUsd: number;
  readonly durationMs: number;
  readonly settlement: CallSettlement;
  /** Reports the outcome. Never throws: the reconciler corrects what is missed. */
  close(written: 'committed' | 'gone' | 'not_written'): Promise<void>;
  /** Settles the call with the outcome `parsing`. Never throws. */
  reject(error: LLMError, answer: UnreadableAnswer): Promise<FailedCall>;
}

/** The call failed and is settled with its cost: in the ledger if the database is reachable, see `run`. */
export interface FailedCall {
  readonly outcome: 'failed';
  readonly callId: string;
  readonly error: LLMError;
  readonly costMicroUsd: number;
}

/**
 * The call was not admitted: nothing was sent, reserved or spent.
 *
 * - `budget`: the call would exceed a budget now; retry at `until`: the next UTC midnight, or some seconds from now
 *   when only the reservations of running calls exceed it. The caller adds jitter.
 * - `budget_too_small`: the maximum cost of the call exceeds the whole budget; it would never be admitted.
 * - `circuit`: the circuit is open until `retryAt`.
 * - `rate`: the rate limiter refused it; retry in `retryInMs`.
 *
 * Times are epoch ms.
 */
export type RefusedCall =
  | {
      readonly outcome: 'refused';
      readonly why: 'budget';
      readonly scope: BudgetScope;
      readonly limitMicroUsd: number;
      readonly shortfallMicroUsd: number;
      readonly until: number;
    }
  | {
      readonly outcome: 'refused';
      readonly why: 'budget_too_small';
      readonly scope: BudgetScope;
      readonly limitMicroUsd: number;
      readonly shortfallMicroUsd: number;
    }
  | { readonly outcome: 'refused'; readonly why: 'circuit'; readonly state: CircuitState; readonly retryAt: number }
  | { readonly outcome: 'refused'; readonly why: 'rate'; readonly reason: RateRefusal; readonly retryInMs: number };

export type ModelCallResult<T> = AnsweredCall<T> | FailedCall | RefusedCall;

/**
 * The only entry point for calls of remote models: ledger row → circuit breaker, rate limiter and budgets in one step →
 * call → settlement. Local models and hashed vectors do not use it. Every remote call has its row in the ledger, free ones
 * too: retry counts and reported tokens are read from it.
 *
 * It counts `memory_llm_requests_total`, tokens and cost, and logs `provider_call_start`, `provider_call_complete` and
 * `provider_call_error`; the caller observes the latencies of the parts of an extraction.
 */
export interface ModelCalls {
  /**
   * Makes one attempt of one call. Its reservations are cancelled when a later step refuses or fails.
   *
   * A failed call is settled immediately with its cost. When the cost is unknown (the call timed out, was aborted or
   * cut after it was sent), the whole reservation counts as spent, so that the budget is never below the bill. While
   * the database is unreachable, the row stays open and the reconciler charges it in full later.
   *
   * @throws CoordinationUnavailableError when the coordination store does not answer, DatabaseUnavailableError when
   * PostgreSQL does not (nothing was sent in either case), and the reason of `call.signal` when it was aborted.
   */
  run<T>(call: ModelCall<T>): Promise<ModelCallResult<T>>;
  /** Reserves nothing. @throws CoordinationUnavailableError */
  readCircuit(provider: string, model: string): Promise<CircuitStatus>;
}
