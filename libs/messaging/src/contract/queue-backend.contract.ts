import { describeJobWorker } from './job-worker.contract.js';
import { describeOutbox } from './outbox.contract.js';
import type { QueueTarget } from '../fixtures/queue.fixture.js';
import { describeTracing } from './tracing.contract.js';

/** The contract suite of every queue backend. */
export function describeQueueBackend(title: string, startTarget: () => Promise<QueueTarget>): void {
  describe(title, () => {
    let target: QueueTarget;

    beforeAll(async () => {
      target = await startTarget();
    });
    afterAll(() => target.stop());

    describe('worker', () => describeJobWorker(() => target));
    describe('outbox', () => describeOutbox(() => target));
    describe('tracing', () => describeTracing(() => target));
  });
}
