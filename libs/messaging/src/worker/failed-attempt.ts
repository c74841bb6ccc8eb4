import type { JobError } from './job-error.js';

/** What BullMQ calls an error that must not be tried again. */
const UNRECOVERABLE = 'UnrecoverableError';

export interface AttemptFacts {
  readonly attempt: number;
  readonly durationMs: number;
  /** The job's name or payload is not what the queue declares. */
  readonly refused: boolean;
}

/** The error that BullMQ gets to see and store: a code, without message, stack or cause. */
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
