import { ProblemError } from '@annals/contracts';
import {
  DatabaseReadOnlyError,
  DatabaseUnavailableError,
  InvalidCursorError,
  StatementEndedError,
} from '@annals/storage';
import { HttpException, NotFoundException } from '@nestjs/common';
import { describeProblem } from './describe-problem.js';

const context = { method: 'PUT', path: '/v1/memories', bodyLimitBytes: 1_000, requestId: 'r-1' };

describe('describeProblem', () => {
  it.each([
    [new ProblemError('not_found', 'There is none.'), 404, 'not_found'],
    [new DatabaseUnavailableError(new Error('x')), 503, 'unavailable'],
    [new StatementEndedError(new Error('secret')), 503, 'unavailable'],
    [new DatabaseReadOnlyError(new Error('secret')), 503, 'unavailable'],
    [new InvalidCursorError(), 400, 'validation_failed'],
    [new NotFoundException('Cannot PUT /v1/memories'), 405, 'method_not_allowed'],
    [new HttpException('Request body is too large', 413), 413, 'body_too_large'],
    [new HttpException('Unsupported', 415), 415, 'unsupported_media_type'],
    [new HttpException('Odd', 418), 500, 'internal'],
    [new Error('secret'), 500, 'internal'],
    ['secret', 500, 'internal'],
    [null, 500, 'internal'],
  ])('maps case %# to status and code', (error, status, code) => {
    const { status: given, body } = describeProblem(error, context);
    expect([given, body.status, body.code]).toEqual([status, status, code]);
    expect(JSON.stringify(body)).not.toMatch(/secret|Cannot|Odd/);
  });

  it('rounds Retry-After up to whole seconds', () => {
    const problem = new ProblemError('rate_limited', 'Wait.', { retryAfterSeconds: 0.2 });
    expect(describeProblem(problem, context).headers).toEqual({ 'retry-after': '1' });
  });
});
