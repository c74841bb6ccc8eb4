import { createRecordingLogger } from '../fixtures/recording-logger.fixture.js';
import { reportWorkerError } from './bullmq-backend.js';

describe('reportWorkerError', () => {
  it.each([
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'debug'],
    [Object.assign(new Error('terminating connection'), { code: '57P01' }), 'debug'],
    [new Error('Connection is closed.'), 'debug'],
    [new Error("Socket timeout. Expecting data, but didn't receive any in 15000ms."), 'debug'],
    [new Error('Connection terminated unexpectedly'), 'debug'],
    [new Error('could not renew lock for job 7'), 'debug'],
    [new Error('Missing lock for job 7. moveToFinished'), 'warn'],
    [Object.assign(new Error('relation "job" does not exist'), { code: '42P01' }), 'warn'],
  ])('logs %o as %s', (error, level) => {
    const { logger, lines } = createRecordingLogger();
    reportWorkerError(logger, error);
    expect(lines).toMatchObject([{ level, event: 'framework_error' }]);
  });
});
