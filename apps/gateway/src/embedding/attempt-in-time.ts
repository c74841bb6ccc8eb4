import { type Clock, startDeadline } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { CoordinationUnavailableError } from '@annals/runtime';
import { DatabaseUnavailableError } from '@annals/storage';

/** Why a query is answered without a model: the error type of its call, for logs, metrics and `explain`. */
export interface FailedAttempt {
  readonly reason: string;
}

interface AttemptOptions {
  readonly clock: Clock;
  /** How long the request waits for the model, in ms. */
  readonly timeoutMs: number;
  readonly onFailed: (reason: string, error: unknown) => void;
}

/**
 * What a model answers in time, or why it does not: it failed, or admission control (budget, rate limiter, circuit
 * breaker) refused the call. @throws DatabaseUnavailableError
 */
export async function attemptInTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { clock, timeoutMs, onFailed }: AttemptOptions,
): Promise<Answer | FailedAttempt> {
  const { signal, timer } = startDeadline(clock, timeoutMs, createAnswerTimeout);
  try {
    return await ask(signal);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const reason = findFailureReason(error);
    onFailed(reason, error);
    return { reason };
  } finally {
    timer.stop();
  }
}

/** An error like that of `AbortSignal.timeout`. */
function createAnswerTimeout(): DOMException {
  return new DOMException('The model did not answer in time.', 'TimeoutError');
}

function findFailureReason(error: unknown): string {
  if (error instanceof LLMError) return error.type;
  if (error instanceof CoordinationUnavailableError) return 'coordination_unavailable';
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unknown';
}
