import type { FieldError, Problem } from '../generated/types.js';
import { AnnalsError } from './annals-error.js';

/** The codes of this release; a newer server may send others. */
export type ProblemCode = Problem['code'] | (string & {});

/** The server refused the request, or failed: a problem document of RFC 9457. */
export class ProblemError extends AnnalsError {
  override readonly name: string = 'ProblemError';
  constructor(
    /** The document as the server sent it. */
    readonly problem: Problem,
    /** When the server says that the request may be sent again. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(describe(problem));
  }

  get status(): number {
    return this.problem.status;
  }

  /** Stable: never changes its meaning. */
  get code(): ProblemCode {
    return this.problem.code;
  }

  /** The invalid fields, such as `body.messages[3].content`. */
  get errors(): readonly FieldError[] {
    return this.problem.errors ?? [];
  }

  /** To be named in a report. */
  get requestId(): string | undefined {
    return this.problem.request_id;
  }
}

/** 400, 413, 415, 422 and others: the request has to be changed. */
export class InvalidRequestError extends ProblemError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the API key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ProblemError {
  override readonly name = 'AuthenticationError';
}

/** 403: the API key lacks a scope, or is bound to something else. */
export class PermissionError extends ProblemError {
  override readonly name = 'PermissionError';
}

/** 404 */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError';
}

/** 409: what is stored does not allow it, `code` says why. */
export class ConflictError extends ProblemError {
  override readonly name = 'ConflictError';

  /** Of a `version_conflict`: the version that is stored. */
  get currentVersion(): number | undefined {
    return this.problem.current_version;
  }
}

/** 410: it was forgotten. */
export class GoneError extends ProblemError {
  override readonly name = 'GoneError';
}

/** 412: it was changed since the revision that `ifMatch` names. */
export class RevisionConflictError extends ProblemError {
  override readonly name = 'RevisionConflictError';

  get currentRevision(): number | undefined {
    return this.problem.current_version;
  }
}

/** 429, after all retries. */
export class RateLimitedError extends ProblemError {
  override readonly name = 'RateLimitedError';
}

/** 5xx, after all retries. */
export class ServerError extends ProblemError {
  override readonly name = 'ServerError';
}

type ProblemErrorClass = new (problem: Problem, retryAfterMs: number | undefined) => ProblemError;

const BY_STATUS: Readonly<Record<number, ProblemErrorClass>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: RevisionConflictError,
  429: RateLimitedError,
};

export function createProblemError(problem: Problem, retryAfterMs: number | undefined): ProblemError {
  const ErrorClass = BY_STATUS[problem.status] ?? (problem.status >= 500 ? ServerError : InvalidRequestError);
  return new ErrorClass(problem, retryAfterMs);
}

function describe({ code, title, detail, errors = [] }: Problem): string {
  return [`${title} (${code}). ${detail}`, ...errors.map(({ path, message }) => `${path}: ${message}`)].join('\n');
}
