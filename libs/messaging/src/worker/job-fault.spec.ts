import { FailedAttempt } from './failed-attempt.js';
import { JobBug, JobMistake, JobTrouble, translateFailure } from './job-fault.js';

describe('translateFailure', () => {
  it('keeps a fault as it is', () => {
    const trouble = new JobTrouble('rate_limit', { retryAfterMs: 500 });
    expect(translateFailure(trouble)).toBe(trouble);
  });

  it.each([new Error('words of a person'), 'a string', undefined, null, { code: 'rate_limit' }])(
    'takes %o for a bug and keeps it as the cause',
    (thrown) => {
      const fault = translateFailure(thrown);
      expect(fault).toBeInstanceOf(JobBug);
      expect(fault).toMatchObject({ kind: 'bug', code: 'internal_error', message: 'internal_error', cause: thrown });
    },
  );

  it('does not let words pass as a code', () => {
    expect(translateFailure(new JobMistake('Ada lives in Paris')).code).toBe('internal_error');
  });
});

describe('FailedAttempt', () => {
  const facts = { attempt: 1, durationMs: 5, refused: false };

  it('shows the queue nothing but the code', () => {
    const failed = new FailedAttempt(new JobTrouble('timeout', { cause: new Error('words') }), facts);
    expect({ message: failed.message, stack: failed.stack, cause: failed.cause }).toEqual({
      message: 'timeout',
      stack: '',
      cause: undefined,
    });
  });

  it('ends the retries of a mistake only', () => {
    expect(new FailedAttempt(new JobMistake('bad_payload'), facts).name).toBe('UnrecoverableError');
    expect(new FailedAttempt(new JobTrouble('timeout'), facts).name).toBe('FailedAttempt');
    expect(new FailedAttempt(new JobBug('internal_error'), facts).name).toBe('FailedAttempt');
  });
});
