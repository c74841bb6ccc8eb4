import { newMemory, waitUntil } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { writeMemories } from '../memories/index.js';
import { expireMemories, type Expired, recordAccess, type UnnotedAccess } from './index.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

// The embedded database runs one transaction at a time, so there the two never meet.
describe('a read that is noted while time removes the memory', () => {
  let bench: StorageBench;
  let tenantId: string;
  let memoryId: string;
  let dependencies: { clock: StorageBench['clock']; ids: StorageBench['ids']; randomBytes: typeof randomBytes };

  beforeAll(async () => {
    bench = await StorageBench.open();
    tenantId = await bench.addTenant();
    dependencies = { clock: bench.clock, ids: bench.ids, randomBytes };
  });
  afterAll(() => bench.close());

  beforeEach(async () => {
    const memory = newMemory(`object ${bench.ids.next()}`, bench.clock.now(), { importance: 1 });
    const command = { userId: 'ada', actor: 'spec', node: 'api', embeddings: new Map() };
    const changes = [{ kind: 'observe', memory }] as const;
    const written = await bench.inTenant(tenantId, (tx) => writeMemories(tx, { ...command, changes }, dependencies));
    memoryId = written.outcome === 'applied' ? written.results[0]!.memoryId : '';
    bench.clock.advance(61 * DAY_MS);
  });

  const rule = () => ({ idleSince: bench.clock.now() - 60 * DAY_MS, keptImportance: 3 });
  const expire = (): Promise<Expired> =>
    bench.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: 'ada', memoryIds: [memoryId], rule: rule() }, dependencies),
    );
  const access = () => [{ memoryId, at: bench.clock.now(), times: 1 }];

  it('is waited for, and keeps the memory', async () => {
    let expiring: Promise<Expired> | undefined;
    await bench.inTenant(tenantId, async (tx) => {
      await recordAccess(tx, access());
      expiring = expire();
      const locks = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
      await waitUntil(async () => (await bench.look(locks, [bench.place.name])).length === 1, {
        describe: 'expiry waits for the read',
      });
    });
    expect(await expiring).toEqual({ expired: 0, unread: 0 });
  });

  it('waits for nobody, and comes too late only to be told so', async () => {
    let noted: UnnotedAccess | undefined;
    await bench.inTenant(tenantId, async (tx) => {
      const done = await expireMemories(tx, { userId: 'ada', memoryIds: [memoryId], rule: rule() }, dependencies);
      expect(done.expired).toBe(1);
      noted = await bench.inTenant(tenantId, (other) => recordAccess(other, access()));
    });
    expect(noted).toEqual({ busy: [memoryId], expired: [] });
    expect(await bench.inTenant(tenantId, (tx) => recordAccess(tx, access()))).toEqual({
      busy: [],
      expired: [{ memoryId, userId: 'ada' }],
    });
  });

  it('never blocks, nor is blocked by, reads of the same memories elsewhere', async () => {
    const flushes = Array.from({ length: 20 }, () => bench.inTenant(tenantId, (tx) => recordAccess(tx, access())));
    const results = await Promise.all(flushes);
    const busy = results.filter((result) => result.busy.length > 0).length;
    const [row] = await bench.look<{ access_count: number }>(
      'SELECT access_count FROM memory_access WHERE memory_id = $1',
      [memoryId],
    );
    expect(row!.access_count).toBe(20 - busy);
  });
});
