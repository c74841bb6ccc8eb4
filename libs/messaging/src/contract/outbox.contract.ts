import { waitUntil } from '@annals/testing';
import { OutboxRelay, type OutboxRelayOptions } from '../outbox/relay.js';
import { OutboxSweep, type OutboxSweepOptions } from '../outbox/sweep.js';
import { JobMistake } from '../worker/job-fault.js';
import { createOutboxRows, QueueBench, type QueuePlace } from './queue-bench.contract.js';

/** What relay and sweep promise on every queue: each row is released, done once, and survives the loss of the queue. */
export function describeOutbox(getPlace: () => QueuePlace): void {
  let bench: QueueBench;

  beforeEach(async () => {
    bench = await QueueBench.open(getPlace());
  });
  afterEach(() => bench.close());

  function startRelay(limits: OutboxRelayOptions['limits'] = {}): OutboxRelay {
    const { store, queues, clock, metrics } = bench;
    const { logger } = bench.recorded;
    const relay = new OutboxRelay({ store, queues, clock, metrics, logger, limits });
    bench.closeLater(() => relay.stop());
    relay.start();
    return relay;
  }

  function startSweep(relay: OutboxRelay, changes: Partial<OutboxSweepOptions> = {}): OutboxSweep {
    const { store, queues, clock, metrics, backend } = bench;
    const { logger } = bench.recorded;
    const kick = () => relay.kick();
    const shared = { store, queues, clock, metrics, backend, logger, kick, onStranded: async () => undefined };
    const sweep = new OutboxSweep({ ...shared, ...changes });
    bench.closeLater(() => sweep.stop());
    sweep.start();
    return sweep;
  }

  const finishAll = () =>
    bench.startWorker(async ({ batchId, generation }) => {
      return (await bench.store.finish(batchId, generation)) ? 'done' : 'skipped';
    });

  const waitForReleases = (count: number) =>
    waitUntil(async () => (await bench.store.readReleases()).filter((times) => times > 0).length === count, {
      describe: `${count} rows are released`,
    });

  it('releases rows when it is kicked, long before its next look', async () => {
    const relay = startRelay({ idleMs: 600_000 });
    await bench.store.add(createOutboxRows(3));
    relay.kick();
    await waitForReleases(3);
    expect(await bench.queue.readCounts()).toMatchObject({ waiting: 3 });
  });

  it('releases a row at its time without a kick', async () => {
    startRelay({ idleMs: 600_000 }).kick();
    await bench.store.add(createOutboxRows(1));
    const later = startRelay({ idleMs: 600_000 });
    await bench.store.add(createOutboxRows(1), bench.clock.now() + 400);
    later.kick();
    await waitForReleases(2);
  });

  it('releases each row once when two relays run side by side', async () => {
    const relays = [startRelay({ batchSize: 7 }), startRelay({ batchSize: 7 })];
    await bench.store.add(createOutboxRows(200));
    for (const relay of relays) relay.kick();
    await waitForReleases(200);
    expect(new Set(await bench.store.readReleases())).toEqual(new Set([1]));
    expect(await bench.queue.readCounts()).toMatchObject({ waiting: 200 });
  });

  it('serves a storm of kicks with few leases', async () => {
    let leases = 0;
    const { store } = bench;
    const counted = Object.assign(Object.create(store) as typeof store, {
      lease: (options: Parameters<typeof store.lease>[0]) => ((leases += 1), store.lease(options)),
    });
    const { queues, clock, metrics } = bench;
    const { logger } = bench.recorded;
    const relay = new OutboxRelay({ store: counted, queues, clock, metrics, logger });
    bench.closeLater(() => relay.stop());
    relay.start();
    const startedMs = performance.now();
    while (performance.now() - startedMs < 500) {
      relay.kick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(leases).toBeGreaterThan(0);
    // The relay rests 10 ms after each, however long the machine takes.
    expect(leases).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 10);
  });

  it('brings back all work after the queue lost its jobs, and does each batch once', async () => {
    const relay = startRelay();
    const sweep = startSweep(relay, { limits: { epochCheckMs: 50, batchSize: 20, sweepAfterMs: 600_000 } });
    await bench.store.add(createOutboxRows(50));
    relay.kick();
    await waitForReleases(50);
    await getPlace().loseAllJobs();
    // Only Redis shows by itself that its data are gone.
    if (bench.backend.kind === 'postgres') await sweep.sweep({ releasedBefore: bench.clock.now(), recheckAll: true });
    await finishAll();
    await waitUntil(async () => (await bench.store.countEffects()).batches === 50, {
      describe: 'all is done',
      timeoutMs: 30_000,
    });
    expect(await bench.store.countEffects()).toEqual({ effects: 50, batches: 50 });
    expect(await bench.store.readReleases()).toEqual([]);
  });

  it('leaves rows alone whose job still waits', async () => {
    const relay = startRelay();
    const sweep = startSweep(relay);
    await bench.store.add(createOutboxRows(5));
    relay.kick();
    await waitForReleases(5);
    expect(await sweep.sweep({ releasedBefore: bench.clock.now(), recheckAll: true })).toBe(0);
    expect(await bench.store.readReleases()).toEqual([1, 1, 1, 1, 1]);
  });

  it('hands over a row whose job failed without an end of its own', async () => {
    const stranded: string[] = [];
    const relay = startRelay();
    const onStranded: OutboxSweepOptions['onStranded'] = async (row, state) => {
      stranded.push(`${row.batchId} ${state}`);
    };
    const sweep = startSweep(relay, { onStranded, limits: { sweepAfterMs: 600_000 } });
    await bench.startWorker(async () => {
      throw new JobMistake('broken');
    });
    const [row] = createOutboxRows(1);
    await bench.store.add([row!]);
    relay.kick();
    await waitForReleases(1);
    await waitUntil(() => bench.exhausted.length === 1, { describe: 'the job failed' });
    await sweep.sweep({ releasedBefore: bench.clock.now(), recheckAll: true });
    expect(stranded).toContain(`${row!.batchId} failed`);
  });
}
