import { type Problem, type ProblemCode, ProblemError, PROBLEMS } from '@annals/contracts';
import {
  DatabaseReadOnlyError,
  DatabaseUnavailableError,
  InvalidCursorError,
  SecretKeyMismatchError,
  StatementEndedError,
} from '@annals/storage';
import { HttpException } from '@nestjs/common';
import { invalidFields } from './parse-input.js';
import { allowedMethods } from './route-table.js';

/** Long enough for a database restart to be over at the second attempt, and short enough for interactive callers. */
const UNAVAILABLE_RETRY_SECONDS = 2;

export interface ProblemContext {
  readonly method: string;
  /** Path without query string. */
  readonly path: string;
  readonly bodyLimitBytes: number;
  readonly requestId: string | undefined;
  /** The URL of the metadata of a route that OAuth clients call (RFC 9728); other routes have none. */
  readonly resourceMetadata?: string;
}

/** The problem details response (RFC 9457) for anything that was thrown. */
export function describeProblem(error: unknown, context: ProblemContext) {
  const problem = toProblem(error, context);
  return {
    status: problem.status,
    headers: problemHeaders(problem, context),
    body: renderProblem(problem, context.requestId),
  };
}

/** The problem for anything that was thrown; `internal` for an unexpected error. */
function toProblem(error: unknown, context: ProblemContext): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new ProblemError('unavailable', describeUnavailable(error), {
      retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
  if (error instanceof InvalidCursorError) return invalidFields([{ path: 'query.cursor', message: error.message }]);
  const status = statusOf(error);
  if (status === undefined || status >= 500) return internalProblem(error);
  return problemOfStatus(status, context) ?? internalProblem(error);
}

function describeUnavailable(error: DatabaseUnavailableError): string {
  if (error instanceof SecretKeyMismatchError) return error.message;
  if (error instanceof DatabaseReadOnlyError)
    return 'The database accepts no writes right now, as during a failover. Send the request again; nothing was stored.';
  if (error instanceof StatementEndedError)
    return 'The database took too long for this request. Send it again; nothing was stored.';
  return 'The database cannot be reached right now. Send the request again.';
}

function renderProblem(problem: ProblemError, requestId: string | undefined): Problem {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `urn:annals:problem:${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.detail,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(problem.options.errors?.length ? { errors: problem.options.errors } : {}),
    ...(problem.options.candidates === undefined ? {} : { candidates: [...problem.options.candidates] }),
    ...(problem.options.currentVersion === undefined ? {} : { current_version: problem.options.currentVersion }),
  };
}

function problemHeaders(problem: ProblemError, { path, resourceMetadata }: ProblemContext): Record<string, string> {
  const headers: Record<string, string> = {};
  if (problem.code === 'unauthenticated') {
    const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`;
    headers['www-authenticate'] = `Bearer realm="annals"${metadata}`;
  }
  if (problem.code === 'method_not_allowed') headers.allow = allowedMethods(path).join(', ');
  const { retryAfterSeconds } = problem.options;
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterSeconds));
  return headers;
}

function internalProblem(error: unknown): ProblemError {
  return new ProblemError('internal', 'Send the request again; if it fails again, report the request_id.', {
    cause: error,
  });
}

/** The HTTP status of an error of Fastify or Nest. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : undefined;
}

function problemOfStatus(status: number, context: ProblemContext): ProblemError | undefined {
  if (status === 404) return unmatchedProblem(context);
  const answers: Readonly<Record<number, readonly [ProblemCode, detail: string]>> = {
    400: ['validation_failed', 'The request cannot be read: check its URL, headers and length.'],
    413: ['body_too_large', `Send at most ${context.bodyLimitBytes} bytes in one body.`],
    414: ['validation_failed', 'Send a shorter path: one of its segments is too long.'],
    415: ['unsupported_media_type', 'Send the body uncompressed, with Content-Type: application/json.'],
  };
  const answer = answers[status];
  return answer && new ProblemError(...answer);
}

function unmatchedProblem({ method, path }: ProblemContext): ProblemError {
  const allowed = allowedMethods(path);
  if (allowed.length > 0 && !allowed.includes(method)) {
    return new ProblemError('method_not_allowed', `Use ${allowed.join(' or ')} for this path.`);
  }
  return new ProblemError('not_found', 'This path does not exist. See /docs for all routes.');
}
