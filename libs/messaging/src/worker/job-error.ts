/**
 * What a failure means for a job: `permanent` cannot succeed in another attempt, `transient` is temporary, `unexpected`
 * is a bug in Annals and is reported; it is retried, since a newer version may be running by then.
 */
export type JobErrorKind = 'permanent' | 'transient' | 'unexpected';

export interface JobErrorOptions {
  readonly cause?: unknown;
  /** Minimum delay of the next attempt, e.g. the Retry-After of a provider. */
  readonly retryAfterMs?: number;
}

/** A classified failure. Only `code` leaves the process: it is stored with the job and shown in the queue UI. */
export abstract class JobError extends Error {
  abstract readonly kind: JobErrorKind;
  readonly retryAfterMs: number | undefined;

  /** `code` is a stable snake_case word, e.g. `budget_too_small`. */
  constructor(
    readonly code: string,
    { cause, retryAfterMs }: JobErrorOptions = {},
  ) {
    super(code, { cause });
    this.name = new.target.name;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The job can never succeed: it fails without another attempt. */
export class PermanentJobError extends JobError {
  readonly kind = 'permanent';
}

/** Retried after the backoff of the queue, or after `retryAfterMs` when that is longer. */
export class TransientJobError extends JobError {
  readonly kind = 'transient';
}

/** A bug in Annals. */
export class UnexpectedJobError extends JobError {
  readonly kind = 'unexpected';
}

const SAFE_CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** Anything but a JobError with a safe code is unexpected, and its message stays inside the process. */
export function toJobError(thrown: unknown): JobError {
  if (!(thrown instanceof JobError)) return new UnexpectedJobError('internal_error', { cause: thrown });
  return SAFE_CODE.test(thrown.code) ? thrown : new UnexpectedJobError('internal_error', { cause: thrown });
}

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
