import { newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { writeMemories } from '../memories/write-memories.js';
import { expireMemories, type ExpiryResult } from './expire-and-purge.js';
import { recordAccess, type UnrecordedAccess } from './record-access.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

// The embedded database serializes transactions, so the race cannot happen there.
describe('recordAccess during the expiry of the memory', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let memoryId: string;
  let dependencies: { clock: StorageFixture['clock']; ids: StorageFixture['ids']; randomBytes: typeof randomBytes };

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
    dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
  });
  afterAll(() => fixture.close());

  beforeEach(async () => {
    const memory = newMemory(`object ${fixture.ids.next()}`, fixture.clock.now(), { importance: 1 });
    const command = { userId: 'ada', actor: 'spec', node: 'api', embeddings: new Map() };
    const changes = [{ kind: 'observe', memory }] as const;
    const written = await fixture.inTenant(tenantId, (tx) => writeMemories(tx, { ...command, changes }, dependencies));
    memoryId = written.outcome === 'applied' ? written.results[0]!.memoryId : '';
    fixture.clock.advance(61 * DAY_MS);
  });

  const rule = () => ({ idleSince: fixture.clock.now() - 60 * DAY_MS, minRetainedImportance: 3 });
  const expire = (): Promise<ExpiryResult> =>
    fixture.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: 'ada', memoryIds: [memoryId], rule: rule() }, dependencies),
    );
  const access = () => [{ memoryId, at: fixture.clock.now(), times: 1 }];

  it('is waited for, and retains the memory', async () => {
    let expiring: Promise<ExpiryResult> | undefined;
    await fixture.inTenant(tenantId, async (tx) => {
      await recordAccess(tx, access());
      expiring = expire();
      await fixture.waitForLockWaits(1, 'expiry waits for the access');
    });
    expect(await expiring).toEqual({ expired: 0, unread: 0 });
  });

  it('does not wait for expiry, and reports the memory as busy and then as expired', async () => {
    let noted: UnrecordedAccess | undefined;
    await fixture.inTenant(tenantId, async (tx) => {
      const done = await expireMemories(tx, { userId: 'ada', memoryIds: [memoryId], rule: rule() }, dependencies);
      expect(done.expired).toBe(1);
      noted = await fixture.inTenant(tenantId, (other) => recordAccess(other, access()));
    });
    expect(noted).toEqual({ busy: [memoryId], expired: [] });
    expect(await fixture.inTenant(tenantId, (tx) => recordAccess(tx, access()))).toEqual({
      busy: [],
      expired: [{ memoryId, userId: 'ada' }],
    });
  });

  it('does not block concurrent accesses to the same memories', async () => {
    const flushes = Array.from({ length: 20 }, () => fixture.inTenant(tenantId, (tx) => recordAccess(tx, access())));
    const results = await Promise.all(flushes);
    const busy = results.filter((result) => result.busy.length > 0).length;
    const [row] = await fixture.queryAsSuperuser<{ access_count: number }>(
      'SELECT access_count FROM memory_access WHERE memory_id = $1',
      [memoryId],
    );
    expect(row!.access_count).toBe(20 - busy);
  });
});
