import { createRecordingLogger } from '../fixtures/recording-logger.fixture.js';
import { ExhaustionNotifier } from './exhaustion-notifier.js';

describe('ExhaustionNotifier', () => {
  it('retries until the notification is delivered', async () => {
    const { logger, lines } = createRecordingLogger();
    const delivered = Promise.withResolvers<void>();
    let tries = 0;
    new ExhaustionNotifier(logger).notify(async () => {
      tries += 1;
      if (tries === 1) throw new Error('The database is unreachable.');
      delivered.resolve();
    });
    await delivered.promise;
    expect(tries).toBe(2);
    expect(lines).toHaveLength(1);
  });

  it('waits for notifications in flight when it closes, and does not retry', async () => {
    const { logger } = createRecordingLogger();
    const notifier = new ExhaustionNotifier(logger);
    let tries = 0;
    notifier.notify(async () => {
      tries += 1;
      throw new Error('The database is unreachable.');
    });
    await notifier.close(5_000);
    expect(tries).toBe(1);
  });
});
