import { describeJobWorker } from './job-worker.contract.js';
import { describeOutbox } from './outbox.contract.js';
import type { QueuePlace } from './queue-bench.contract.js';
import { describeTracing } from './tracing.contract.js';

/** The one suite that every queue backend passes. */
export function describeQueueBackend(title: string, startPlace: () => Promise<QueuePlace>): void {
  describe(title, () => {
    let place: QueuePlace;

    beforeAll(async () => {
      place = await startPlace();
    });
    afterAll(() => place.stop());

    describe('worker', () => describeJobWorker(() => place));
    describe('outbox', () => describeOutbox(() => place));
    describe('tracing', () => describeTracing(() => place));
  });
}
