import { createRecordingLogger } from '../fixtures/recording-logger.fixture.js';
import { OutageTracker } from './queue-guard.js';

describe('OutageTracker', () => {
  it('logs the beginning and the end of an outage of several connections once each', () => {
    const { logger, lines } = createRecordingLogger();
    const tracker = new OutageTracker(logger);
    let recoveries = 0;
    tracker.onRecovered(() => (recoveries += 1));
    for (const source of ['producer', 'worker', 'producer']) tracker.reportDown(source, new Error('gone'));
    tracker.reportUp('producer');
    expect(tracker.isDown).toBe(true);
    tracker.reportUp('worker');
    tracker.reportUp('worker');
    expect(lines.map(({ event }) => event)).toEqual(['queue_unavailable', 'queue_available']);
    expect(recoveries).toBe(1);
  });

  it('does not call a removed listener', () => {
    const tracker = new OutageTracker(createRecordingLogger().logger);
    let recoveries = 0;
    tracker.onRecovered(() => (recoveries += 1))();
    tracker.reportDown('producer', new Error('gone'));
    tracker.reportUp('producer');
    expect(recoveries).toBe(0);
  });
});
