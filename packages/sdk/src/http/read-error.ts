import { type AnnalsError, UnexpectedResponseError } from '../errors/annals-error.js';
import { createProblemError } from '../errors/problem-error.js';
import type { Problem } from '../generated/types.js';
import { parseRetryAfter } from './retry-policy.js';

/** Enough to recognise the page of a proxy. */
const MAX_EXCERPT_LENGTH = 200;

/** The error of a response that is no success. `what` names the request. */
export async function readError(response: Response, what: string, now: number): Promise<AnnalsError> {
  const text = await response.text();
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
  const problem = parseProblem(response, text);
  if (problem) return createProblemError(problem, retryAfterMs);
  return unexpectedResponse(response, text, what, retryAfterMs);
}

export function unexpectedResponse(
  { status, headers }: Response,
  text: string,
  what: string,
  retryAfterMs?: number,
): UnexpectedResponseError {
  const type = headers.get('content-type') ?? 'no content type';
  const message = `${what}: the response is not one of Annals (${status}, ${type}). Check baseUrl, and what stands between.`;
  return new UnexpectedResponseError(`${message}\n${text.slice(0, MAX_EXCERPT_LENGTH)}`.trim(), status, retryAfterMs);
}

function parseProblem({ status, headers }: Response, text: string): Problem | undefined {
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return undefined;
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    return typeof problem.code === 'string' ? ({ ...problem, status } as Problem) : undefined;
  } catch {
    return undefined;
  }
}
