import { waitUntil } from '@annals/testing';
import { OutboxRelay, type OutboxRelayOptions } from '../outbox/relay.js';
import { OutboxSweep, type OutboxSweepOptions } from '../outbox/sweep.js';
import type { WorkRow } from '../outbox/work-store.js';
import { PermanentJobError } from '../worker/job-error.js';
import { createWorkRows, QueueFixture, type QueueTarget } from '../fixtures/queue.fixture.js';

/**
 * The contract suite of relay and sweep, for every queue backend: each row is released, done once, and survives the
 * loss of the queue.
 */
export function describeOutbox(getTarget: () => QueueTarget): void {
  let fixture: QueueFixture;

  beforeEach(async () => {
    fixture = await QueueFixture.open(getTarget());
  });
  afterEach(() => fixture.close());

  function startRelay(limits: OutboxRelayOptions['limits'] = {}): OutboxRelay {
    const { store, queues, clock, metrics } = fixture;
    const { logger } = fixture.recorded;
    const relay = new OutboxRelay({ store, queues, clock, metrics, logger, limits });
    fixture.closeLater(() => relay.stop());
    relay.start();
    return relay;
  }

  function startSweep(relay: OutboxRelay, changes: Partial<OutboxSweepOptions> = {}): OutboxSweep {
    const { store, queues, clock, metrics, backend } = fixture;
    const { logger } = fixture.recorded;
    const kick = () => relay.kick();
    const shared = { store, queues, clock, metrics, backend, logger, kick, onOrphaned: async () => undefined };
    const sweep = new OutboxSweep({ ...shared, ...changes });
    fixture.closeLater(() => sweep.stop());
    sweep.start();
    return sweep;
  }

  const finishAll = () =>
    fixture.startWorker(async ({ subjectId, generation }) => {
      return (await fixture.store.finish(subjectId, generation)) ? 'done' : 'skipped';
    });

  const waitForReleases = (count: number) =>
    waitUntil(async () => (await fixture.store.readReleases()).filter((times) => times > 0).length === count, {
      describe: `${count} rows are released`,
    });

  it('releases rows on a kick, long before its next regular round', async () => {
    const relay = startRelay({ idleMs: 600_000 });
    await fixture.store.add(createWorkRows(3));
    relay.kick();
    await waitForReleases(3);
    expect(await fixture.queue.readCounts()).toMatchObject({ waiting: 3 });
  });

  it('releases rows of background work soon after a kick that is not urgent', async () => {
    const relay = startRelay({ idleMs: 600_000 });
    await fixture.store.add(createWorkRows(2));
    relay.kickLater();
    relay.kickLater();
    await waitForReleases(2);
  });

  it('leaves kinds of a later release to its processes, and releases the others', async () => {
    const relay = startRelay({ idleMs: 600_000 });
    const [later] = createWorkRows(1);
    await fixture.store.add([{ ...later!, kind: 'dreams' as WorkRow['kind'] }, ...createWorkRows(2)]);
    relay.kick();
    await waitForReleases(2);
    expect(await fixture.queue.readCounts()).toMatchObject({ waiting: 2 });
  });

  it('releases a row when it becomes due, without a kick', async () => {
    startRelay({ idleMs: 600_000 }).kick();
    await fixture.store.add(createWorkRows(1));
    const later = startRelay({ idleMs: 600_000 });
    await fixture.store.add(createWorkRows(1), fixture.clock.now() + 400);
    later.kick();
    await waitForReleases(2);
  });

  it('releases each row once when two relays run concurrently', async () => {
    const relays = [startRelay({ batchSize: 7 }), startRelay({ batchSize: 7 })];
    await fixture.store.add(createWorkRows(200));
    for (const relay of relays) relay.kick();
    await waitForReleases(200);
    expect(new Set(await fixture.store.readReleases())).toEqual(new Set([1]));
    expect(await fixture.queue.readCounts()).toMatchObject({ waiting: 200 });
  });

  it('bounds the number of leases under many kicks', async () => {
    let leases = 0;
    const { store } = fixture;
    const counted = Object.assign(Object.create(store) as typeof store, {
      lease: (options: Parameters<typeof store.lease>[0]) => ((leases += 1), store.lease(options)),
    });
    const { queues, clock, metrics } = fixture;
    const { logger } = fixture.recorded;
    const relay = new OutboxRelay({ store: counted, queues, clock, metrics, logger });
    fixture.closeLater(() => relay.stop());
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

  it('restores all work after the queue lost its jobs, and does each once', async () => {
    const relay = startRelay();
    const sweep = startSweep(relay, { limits: { epochCheckMs: 50, batchSize: 20, sweepAfterMs: 600_000 } });
    await fixture.store.add(createWorkRows(50));
    relay.kick();
    await waitForReleases(50);
    await getTarget().loseAllJobs();
    // Only Redis shows by its epoch that its data were lost.
    if (fixture.backend.kind === 'postgres')
      await sweep.sweep({ releasedBefore: fixture.clock.now(), recheckAll: true });
    await finishAll();
    await waitUntil(async () => (await fixture.store.countEffects()).subjects === 50, {
      describe: 'all work is done',
    });
    expect(await fixture.store.countEffects()).toEqual({ effects: 50, subjects: 50 });
    expect(await fixture.store.readReleases()).toEqual([]);
  });

  it('does not change rows whose job still waits', async () => {
    const relay = startRelay();
    const sweep = startSweep(relay);
    await fixture.store.add(createWorkRows(5));
    relay.kick();
    await waitForReleases(5);
    expect(await sweep.sweep({ releasedBefore: fixture.clock.now(), recheckAll: true })).toBe(0);
    expect(await fixture.store.readReleases()).toEqual([1, 1, 1, 1, 1]);
  });

  it('reports a row whose job failed while the work did not end', async () => {
    const orphaned: string[] = [];
    const relay = startRelay();
    const onOrphaned: OutboxSweepOptions['onOrphaned'] = async (row, state) => {
      orphaned.push(`${row.subjectId} ${state}`);
    };
    const sweep = startSweep(relay, { onOrphaned, limits: { sweepAfterMs: 600_000 } });
    await fixture.startWorker(async () => {
      throw new PermanentJobError('broken');
    });
    const [row] = createWorkRows(1);
    await fixture.store.add([row!]);
    relay.kick();
    await waitForReleases(1);
    await waitUntil(() => fixture.exhausted.length === 1, { describe: 'the job failed' });
    await sweep.sweep({ releasedBefore: fixture.clock.now(), recheckAll: true });
    expect(orphaned).toContain(`${row!.subjectId} failed`);
  });
}
