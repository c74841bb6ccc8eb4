import { LLMError, MAX_RETRIES } from '@annals/llm-core';
import { type JobFault, JobMistake, JobTrouble } from '@annals/messaging';

/**
 * What a failed call means for its job: tried again as often as its type allows (decision 7), then over. Undefined for
 * anything but an LLMError. The fault keeps no cause, since only its code may leave the process.
 */
export function translateLLMError(error: unknown, attempt: number): JobFault | undefined {
  if (!(error instanceof LLMError)) return undefined;
  if (attempt > MAX_RETRIES[error.type]) return new JobMistake(error.type);
  const { retryAfterMs } = error;
  return new JobTrouble(error.type, retryAfterMs === undefined ? {} : { retryAfterMs });
}
