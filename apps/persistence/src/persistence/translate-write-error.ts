import { isRetryable, LLMError } from '@annals/llm-core';
import { type JobError, PermanentJobError, TransientJobError } from '@annals/messaging';
import { sqlState } from '@annals/storage';

/** SQLSTATE classes of data that PostgreSQL will refuse again: data exception (22), constraint violation (23). */
const REFUSED_DATA = /^2[23]/;

/**
 * What the errors of this stage mean (docs/reference/writes.md#database-errors-of-a-write); undefined for all others.
 */
export function translateWriteError(error: unknown): JobError | undefined {
  if (REFUSED_DATA.test(sqlState(error) ?? '')) return new PermanentJobError('invalid_request', { cause: error });
  if (!(error instanceof LLMError)) return undefined;
  const { type, retryAfterMs } = error;
  return new TransientJobError(type, retryAfterMs === undefined ? {} : { retryAfterMs });
}

/** Whether a failed embedding call is worth another attempt of the whole job; otherwise memories are written without vectors. */
export function shouldRetryEmbedding(error: unknown, attemptsLeft: number): boolean {
  return !(error instanceof LLMError) || (isRetryable(error.type) && attemptsLeft > 0);
}
