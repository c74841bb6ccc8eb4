import type { Metrics } from '@annals/observability';
import { createRecordingLogger } from '../contract/recording-logger.contract.js';
import { FailedAttempt } from './failed-attempt.js';
import { JobTrouble, translateFailure } from './job-fault.js';
import { JobReporter } from './job-reporter.js';

describe('JobReporter', () => {
  const silent: Pick<Metrics, 'inc' | 'observe'> = { inc: () => undefined, observe: () => undefined };
  const fail = (thrown: unknown, isLast = false) => {
    const { logger, lines } = createRecordingLogger();
    const attempt = new FailedAttempt(translateFailure(thrown), { attempt: 2, durationMs: 7, refused: false });
    new JobReporter('extraction', 1_000, logger, silent).failed('job-1', attempt, isLast);
    return lines;
  };

  it('tells of a bug beside the attempt it ended, and not as if the process had failed', () => {
    const bug = new TypeError('x is not a function');
    expect(fail(bug)).toMatchObject([
      { event: 'job_bug', fields: { queue: 'extraction', jobId: 'job-1', attempt: 2, error: bug } },
      { event: 'job_failed', fields: { attempt: 2 } },
    ]);
  });

  it('tells of no bug when the trouble passes', () => {
    expect(fail(new JobTrouble('timeout'), true)).toMatchObject([{ event: 'job_exhausted' }]);
  });
});
