import { AbortError, ConnectionError, TimeoutError, UnexpectedResponseError } from '../errors/annals-error.js';
import { createProblemError } from '../errors/problem-error.js';
import type { Problem } from '../generated/types.js';
import { backOff, parseRetryAfter, planRetry } from './retry-policy.js';

const problemOf = (status: number, code = 'internal', retryAfterMs?: number) =>
  createProblemError({ status, code, title: '', detail: '', type: '' } as Problem, retryAfterMs);

describe('planRetry', () => {
  it.each([408, 429, 500, 502, 503, 504, 529])('sends again after %i, of Annals and of a proxy', (status) => {
    expect(planRetry(problemOf(status), 0, 0)).toBe(250);
    expect(planRetry(new UnexpectedResponseError('', status, undefined), 0, 0)).toBe(250);
  });

  it.each([200, 400, 401, 403, 404, 409, 410, 412, 413, 422])('does not send again after %i', (status) => {
    expect(planRetry(problemOf(status), 0, 0)).toBeNull();
    expect(planRetry(new UnexpectedResponseError('', status, undefined), 0, 0)).toBeNull();
  });

  it.each([
    [502, 'dry_run_failed'],
    [504, 'dry_run_timeout'],
  ])('leaves it to the caller to pay again: %i %s', (status, code) => {
    expect(planRetry(problemOf(status, code), 0, 0)).toBeNull();
  });

  it('sends again while the attempt before is still running', () => {
    expect(planRetry(problemOf(409, 'idempotency_in_flight'), 0, 0)).toBe(250);
  });

  it('sends again without an answer, unless the caller aborted', () => {
    expect(planRetry(new ConnectionError(), 0, 0)).toBe(250);
    expect(planRetry(new TimeoutError(), 0, 0)).toBe(250);
    expect(planRetry(new AbortError(), 0, 0)).toBeNull();
  });

  it('waits as long as the server asks, and a little more by chance', () => {
    expect(planRetry(problemOf(429, 'rate_limited', 5_000), 4, 0)).toBe(5_000);
    expect(planRetry(problemOf(429, 'rate_limited', 5_000), 0, 1)).toBe(5_500);
  });

  it('leaves it to the caller when the server asks for more than a minute', () => {
    expect(planRetry(problemOf(429, 'rate_limited', 60_000), 0, 0)).toBe(60_000);
    expect(planRetry(problemOf(429, 'rate_limited', 60_001), 0, 0)).toBeNull();
  });
});

describe('backOff', () => {
  it('doubles up to 8 s, and spreads over its second half', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((retries) => backOff(retries, 1))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
    ]);
    expect([0, 1].map((random) => backOff(1, random))).toEqual([500, 1_000]);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.UTC(2026, 0, 5, 12);
  it.each<[string | null, number | undefined]>([
    ['0', 0],
    ['7', 7_000],
    ['Mon, 05 Jan 2026 12:00:30 GMT', 30_000],
    ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('reads %s', (header, expected) => expect(parseRetryAfter(header, now)).toBe(expected));
});
