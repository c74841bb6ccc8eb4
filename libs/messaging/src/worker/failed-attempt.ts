import type { JobError } from './job-error.js';

/** Name of the BullMQ error for a job that must not be retried. */
const UNRECOVERABLE = 'UnrecoverableError';

export interface AttemptFacts {
  readonly attempt: number;
  readonly durationMs: number;
  /** The job's name or payload is not what the queue declares. */
  readonly refused: boolean;
}

/** The error that BullMQ receives and stores: a code, without message, stack or cause. */
export class FailedAttempt extends Error {
  constructor(
    readonly jobError: JobError,
    readonly facts: AttemptFacts,
  ) {
    super(jobError.code);
    this.name = jobError.kind === 'permanent' ? UNRECOVERABLE : 'FailedAttempt';
    this.stack = '';
  }
}
