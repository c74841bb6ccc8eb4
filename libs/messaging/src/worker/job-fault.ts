/**
 * What a failure means for a job: `mistake` cannot be mended by another attempt, `trouble` passes, `bug` is ours and
 * is reported; it is tried again, since a newer version may be running by then.
 */
export type FaultKind = 'mistake' | 'trouble' | 'bug';

export interface JobFaultOptions {
  readonly cause?: unknown;
  /** The next attempt is not sooner than this, e.g. what a provider asked for. */
  readonly retryAfterMs?: number;
}

/** A failure with a meaning. Only `code` leaves the process: it is stored with the job and shown in the queue UI. */
export abstract class JobFault extends Error {
  abstract readonly kind: FaultKind;
  readonly retryAfterMs: number | undefined;

  /** `code` is a stable snake_case word, e.g. `budget_too_small`. */
  constructor(
    readonly code: string,
    { cause, retryAfterMs }: JobFaultOptions = {},
  ) {
    super(code, { cause });
    this.name = new.target.name;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The job can never succeed: it fails without another attempt. */
export class JobMistake extends JobFault {
  readonly kind = 'mistake';
}

/** Something that passes: the job is tried again after the queue's backoff, or `retryAfterMs` when that is longer. */
export class JobTrouble extends JobFault {
  readonly kind = 'trouble';
}

/** An error of our own. */
export class JobBug extends JobFault {
  readonly kind = 'bug';
}

const SAFE_CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** Gives any thrown value its meaning; what is not a fault is a bug, and its message stays inside the process. */
export function translateFailure(thrown: unknown): JobFault {
  if (!(thrown instanceof JobFault)) return new JobBug('internal_error', { cause: thrown });
  return SAFE_CODE.test(thrown.code) ? thrown : new JobBug('internal_error', { cause: thrown });
}
