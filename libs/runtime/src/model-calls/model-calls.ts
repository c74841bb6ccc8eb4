import type { CallOperation } from '@annals/contracts';
import type { BudgetScope, CircuitState, RateRefusal } from '@annals/coordination';
import type { LLMError, RateLimitReport, TokenUsage } from '@annals/llm-core';
import type { CallSettlement } from '@annals/storage';

/** The hold of a worker on its batch: the ledger then counts the call to the batch and to this generation of it. */
export interface CallBatch {
  readonly batchId: string;
  readonly fence: number;
  readonly generation: number;
}

/** One call of a remote model, as it is asked for. */
export interface ModelCall<T> {
  readonly tenantId: string;
  /** Null when the call is for no person, as the doctor's. */
  readonly userId: string | null;
  readonly batch: CallBatch | null;
  readonly operation: CallOperation;
  /** Provider and model as they are configured: together they name the circuit and the rate limiter. */
  readonly provider: string;
  readonly model: string;
  /**
   * Upper bound of the cost (docs/reference/budgets.md#upper-bound-of-a-call), a whole number of micro-USD:
   * `provider.estimateMaxCost(request)`. 0 for an endpoint that costs nothing: budgets are not asked then, everything
   * else stays the same.
   */
  readonly maxCostMicroUsd: number;
  /** Input and output tokens that are expected, for the rate limiter. */
  readonly expectedTokens: number;
  /** For the whole call, from sending to the end of the answer, in ms. A call that takes longer is a `timeout`. */
  readonly timeoutMs: number;
  /** Aborting it ends `run` with its reason: on shutdown, when the lease is lost, when the caller has gone. */
  readonly signal: AbortSignal;
  /** Refused by the rate limiter while more than half of the provider's minute is used: nothing is lost without the call. */
  readonly yieldsToInteractive?: boolean;
  /** Counts from 1, for the events. Default 1. */
  readonly attempt?: number;
  /**
   * Sends the request once and gives what came of it; an LLMError when it failed, with `usage` and `costMicroUsd` when
   * the provider charges for the failure. Must end when `signal` is aborted.
   */
  invoke(signal: AbortSignal): Promise<Invocation<T>>;
}

/** An answer, and what it used. */
export interface Invocation<T> {
  readonly value: T;
  readonly usage: TokenUsage;
  /** A whole number of micro-USD. */
  readonly costMicroUsd: number;
  readonly rateLimits?: RateLimitReport | undefined;
}

/** Why an answer is of no use although it was paid for. */
export interface UnreadableAnswer {
  /** The answer as it came. It is kept with the call (`call_answers`), so that it is never bought twice. */
  readonly text: string;
  /** What is wrong with it, in our words: the `problem` of a corrective call. */
  readonly problem: string;
}

/**
 * The provider answered. The money is still reserved: settle it exactly once, by one of
 *
 * - your own transaction: `completeExtraction(tx, { …, settlement })` or `settleReservation(tx, settlement)`, then
 *   `close('committed')` — the answer and its cost are durable together;
 *   (`close('gone')` when it answered that the reservation is gone: the reconciler has charged the call in full);
 * - `close('not_written')`: the answer will not be used (the lease was lost, the write failed). Settles by itself;
 * - `reject(…)`: the answer cannot be read. Settles by itself and keeps the answer.
 *
 * A process that dies in between leaves the reservation's row, which the reconciler charges in full.
 */
export interface AnsweredCall<T> {
  readonly outcome: 'answered';
  /** Id of the reservation, and of the row in `usage` that takes its place. */
  readonly callId: string;
  readonly value: T;
  readonly usage: TokenUsage;
  readonly costMicroUsd: number;
  readonly durationMs: number;
  readonly settlement: CallSettlement;
  /** Tells breaker, rate limiter and budget what the call came to. Never throws: the reconciler heals what is missed. */
  close(written: 'committed' | 'gone' | 'not_written'): Promise<void>;
  /** Settles the call as `parsing`. Never throws. */
  reject(error: LLMError, answer: UnreadableAnswer): Promise<FailedCall>;
}

/** The call failed, and is settled with what it cost: in the ledger if the database could be reached, see `run`. */
export interface FailedCall {
  readonly outcome: 'failed';
  readonly callId: string;
  readonly error: LLMError;
  readonly costMicroUsd: number;
}

/**
 * Nothing was sent, nothing is held and nothing was spent.
 *
 * - `budget`: no room now; the work waits for `until`, the next UTC midnight, or some seconds when there would be room
 *   but for what running calls have reserved. The caller adds its spread.
 * - `budget_too_small`: the call alone costs more than the whole budget may be; it would never be admitted.
 * - `circuit`: the circuit is open until `retryAt`.
 * - `rate`: the rate limiter asks to come back in `retryInMs`.
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

/** Where a circuit stands, for people. */
export interface CircuitStatus {
  readonly state: CircuitState;
  readonly failureRate: number;
  readonly retryAt: number | null;
}

/**
 * The one entry point for every call of a remote model: breaker → rate limiter → row in the ledger → budget → call → settlement.
 * Local models and hashed vectors do not pass it. Every remote call has its row in the ledger, free ones too: retry
 * counts are read from it, and tokens are reported from it.
 *
 * It counts `memory_llm_requests_total`, tokens and cost, and logs `provider_call_start`, `provider_call_complete` and
 * `provider_call_error`; latencies of the parts of an extraction are the caller's to observe.
 */
export interface ModelCalls {
  /**
   * Makes one attempt of one call. What it reserved is given back, in reverse, when a later step refuses or fails.
   *
   * A call that failed is settled at once with what it cost. When nobody knows (it timed out, was aborted or cut after
   * it was sent), the whole reservation counts as spent, so that the budget is never below the bill. While the database
   * is away the row stays where it is and the reconciler charges it in full later.
   *
   * @throws CoordinationUnavailableError when the coordination store does not answer, DatabaseUnavailableError when
   * PostgreSQL does not (nothing was sent in either case), and the reason of `call.signal` when it was aborted.
   */
  run<T>(call: ModelCall<T>): Promise<ModelCallResult<T>>;
  /** The circuit of a provider and model, without taking anything. @throws CoordinationUnavailableError */
  readCircuit(provider: string, model: string): Promise<CircuitStatus>;
}
