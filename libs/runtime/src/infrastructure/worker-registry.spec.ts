import type { Logger } from '@annals/observability';
import { type RegisteredWorker, WorkerRegistry } from './worker-registry.js';

class TestWorker implements RegisteredWorker {
  started = false;
  closedWithin?: number;
  constructor(readonly queue: string) {}
  async start() {
    this.started = true;
  }
  async close({ timeoutMs }: { timeoutMs: number }) {
    this.closedWithin = timeoutMs;
  }
}

const createRegistry = (logger: Partial<Logger> = {}) => new WorkerRegistry(logger as Logger);

describe('WorkerRegistry', () => {
  it('starts and stops all workers', async () => {
    const registry = createRegistry();
    const workers = [new TestWorker('extraction'), new TestWorker('persistence')];
    for (const worker of workers) registry.add(worker);
    registry.start();
    await registry.stop(500);
    expect(workers.map(({ started, closedWithin }) => [started, closedWithin])).toEqual([
      [true, 500],
      [true, 500],
    ]);
  });

  it('logs a worker that cannot start', async () => {
    const error = vi.fn();
    const registry = createRegistry({ error });
    const worker = new TestWorker('extraction');
    worker.start = () => Promise.reject(new Error('x'));
    registry.add(worker);
    registry.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(error).toHaveBeenCalledWith('service_failed', expect.objectContaining({ stage: 'extraction' }));
  });

  it('requires exactly one worker for each queue of the service', () => {
    const registry = createRegistry();
    expect(() => registry.requireWorkers(['extraction'])).toThrow(/Queue "extraction" has no handler/);
    registry.add(new TestWorker('extraction'));
    expect(() => registry.requireWorkers(['extraction'])).not.toThrow();
    expect(() => registry.requireWorkers([])).toThrow(/which this process does not serve/);
    registry.add(new TestWorker('extraction'));
    expect(() => registry.requireWorkers(['extraction'])).toThrow(/has 2 handlers/);
  });
});
