import { FailedAttempt, PermanentJobError, toJobError, TransientJobError, UnexpectedJobError } from './job-error.js';

describe('toJobError', () => {
  it('returns a JobError unchanged', () => {
    const transient = new TransientJobError('rate_limit', { retryAfterMs: 500 });
    expect(toJobError(transient)).toBe(transient);
  });

  it.each([new Error('words of a person'), 'a string', undefined, null, { code: 'rate_limit' }])(
    'classifies %o as an unexpected error and retains it as the cause',
    (thrown) => {
      const jobError = toJobError(thrown);
      expect(jobError).toBeInstanceOf(UnexpectedJobError);
      expect(jobError).toMatchObject({
        kind: 'unexpected',
        code: 'internal_error',
        message: 'internal_error',
        cause: thrown,
      });
    },
  );

  it('replaces a code that is free text', () => {
    expect(toJobError(new PermanentJobError('Ada lives in Paris')).code).toBe('internal_error');
  });
});

describe('FailedAttempt', () => {
  const facts = { attempt: 1, durationMs: 5, refused: false };

  it('exposes only the code to the queue', () => {
    const failed = new FailedAttempt(new TransientJobError('timeout', { cause: new Error('words') }), facts);
    expect({ message: failed.message, stack: failed.stack, cause: failed.cause }).toEqual({
      message: 'timeout',
      stack: '',
      cause: undefined,
    });
  });

  it('ends the retries of a permanent error only', () => {
    expect(new FailedAttempt(new PermanentJobError('bad_payload'), facts).name).toBe('UnrecoverableError');
    expect(new FailedAttempt(new TransientJobError('timeout'), facts).name).toBe('FailedAttempt');
    expect(new FailedAttempt(new UnexpectedJobError('internal_error'), facts).name).toBe('FailedAttempt');
  });
});
