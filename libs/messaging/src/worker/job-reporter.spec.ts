import type { Metrics } from '@annals/observability';
import { createRecordingLogger } from '../fixtures/recording-logger.fixture.js';
import { FailedAttempt, toJobError, TransientJobError } from './job-error.js';
import { JobReporter } from './job-reporter.js';

describe('JobReporter', () => {
  const silent: Pick<Metrics, 'add' | 'inc' | 'observe'> = {
    add: () => undefined,
    inc: () => undefined,
    observe: () => undefined,
  };
  const fail = (thrown: unknown, isLast = false) => {
    const { logger, lines } = createRecordingLogger();
    const attempt = new FailedAttempt(toJobError(thrown), { attempt: 2, durationMs: 7, refused: false });
    new JobReporter('extraction', 1_000, logger, silent).failed('job-1', attempt, isLast);
    return lines;
  };

  it('logs an unexpected error in addition to the failed attempt, and not as a failure of the process', () => {
    const thrown = new TypeError('x is not a function');
    expect(fail(thrown)).toMatchObject([
      { event: 'job_unexpected_error', fields: { queue: 'extraction', jobId: 'job-1', attempt: 2, error: thrown } },
      { event: 'job_failed', fields: { attempt: 2 } },
    ]);
  });

  it('logs no unexpected error when the error is transient', () => {
    expect(fail(new TransientJobError('timeout'), true)).toMatchObject([{ event: 'job_exhausted' }]);
  });
});
