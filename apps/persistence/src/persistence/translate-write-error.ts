import { isRetryable, LLMError } from '@annals/llm-core';
import { type JobError, PermanentJobError, TransientJobError } from '@annals/messaging';
import { sqlState } from '@annals/storage';

/** SQLSTATE classes for which a retry cannot succeed: data exception (22), integrity constraint violation (23). */
const REFUSED_DATA = /^2[23]/;

/**
 * The job error for an error of this stage (docs/reference/writes.md#database-errors-of-a-write); undefined for others.
 */
export function translateWriteError(error: unknown): JobError | undefined {
  if (REFUSED_DATA.test(sqlState(error) ?? '')) return new PermanentJobError('invalid_request', { cause: error });
  if (!(error instanceof LLMError)) return undefined;
  const { type, retryAfterMs } = error;
  return new TransientJobError(type, retryAfterMs === undefined ? {} : { retryAfterMs });
}

/** Whether a failed embedding call is worth a retry of the job; otherwise memories are written without vectors. */
export function shouldRetryEmbedding(error: unknown, attemptsLeft: number): boolean {
  return !(error instanceof LLMError) || (isRetryable(error.type) && attemptsLeft > 0);
}
