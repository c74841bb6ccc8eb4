/**
 * What a failure means for a job: `permanent` cannot be repaired by another attempt, `transient` passes, `unexpected` is ours and
 * is reported; it is tried again, since a newer version may be running by then.
 */
export type JobErrorKind = 'permanent' | 'transient' | 'unexpected';

export interface JobErrorOptions {
  readonly cause?: unknown;
  /** The next attempt is not sooner than this, e.g. what a provider asked for. */
  readonly retryAfterMs?: number;
}

/** A failure with a meaning. Only `code` leaves the process: it is stored with the job and shown in the queue UI. */
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

/** Something that passes: the job is tried again after the queue's backoff, or `retryAfterMs` when that is longer. */
export class TransientJobError extends JobError {
  readonly kind = 'transient';
}

/** An error of our own. */
export class UnexpectedJobError extends JobError {
  readonly kind = 'unexpected';
}

const SAFE_CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** Gives any thrown value its meaning; what is not a jobError is a bug, and its message stays inside the process. */
export function toJobError(thrown: unknown): JobError {
  if (!(thrown instanceof JobError)) return new UnexpectedJobError('internal_error', { cause: thrown });
  return SAFE_CODE.test(thrown.code) ? thrown : new UnexpectedJobError('internal_error', { cause: thrown });
}
