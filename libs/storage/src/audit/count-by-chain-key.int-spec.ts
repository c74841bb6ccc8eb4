import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { countByChainKey } from './count-by-chain-key.js';
import { appendHistory } from './user-chain.js';

const [OWN, OTHER, UNUSED] = [5, 9, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const SAMPLE = { tenants: 10, usersPerTenant: 10 };

describe('countByChainKey', () => {
  let fixture: StorageFixture;
  let own: Database;
  let other: Database;
  let tenants: string[];
  beforeEach(async () => {
    fixture = await StorageFixture.open({ chainKey: OWN });
    own = fixture.database;
    other = await fixture.openAnother({ chainKey: OTHER });
    tenants = [await fixture.addTenant(), await fixture.addTenant()];
  });
  afterEach(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const rows = [{ memoryId: null, event: 'CONSENT', oldRef: null, newRef: null, content: 'x', meta: {} }] as const;
  const write = (database: Database, tenantId: string, userId: string) =>
    database.inTenant(tenantId, (tx) => appendHistory(tx, { userId, actor: 'test', rows }, dependencies()));

  it('counts the users of all tenants by the key that their history was begun with', async () => {
    await write(own, tenants[0]!, 'ada');
    await write(own, tenants[1]!, 'ada');
    await write(other, tenants[1]!, 'bob');
    expect(await countByChainKey(own, [OWN, UNUSED], SAMPLE)).toEqual({ users: 3, byKey: [2, 0] });
    expect(await countByChainKey(own, [OWN, UNUSED, OTHER], SAMPLE)).toEqual({ users: 3, byKey: [2, 0, 1] });
    expect(await countByChainKey(own, [], SAMPLE)).toEqual({ users: 3, byKey: [] });
  });

  it('leaves out who was erased, and rows of earlier releases, which record no pseudonym', async () => {
    for (const userId of ['ada', 'bob', 'cat']) await write(own, tenants[0]!, userId);
    await own.inTenant(tenants[0]!, (tx) => eraseUser(tx, { userId: 'ada', actor: 'test', key: OWN }, dependencies()));
    await fixture.queryAsSuperuser(`UPDATE users SET pseudonym = NULL WHERE user_id = 'bob'`);
    expect(await countByChainKey(own, [OWN], SAMPLE)).toEqual({ users: 1, byKey: [1] });
  });

  it('reads no more tenants and users than it was told to', async () => {
    for (const tenantId of tenants) for (const userId of ['ada', 'bob', 'cat']) await write(own, tenantId, userId);
    const count = (tenantCount: number, usersPerTenant: number) =>
      countByChainKey(own, [OWN], { tenants: tenantCount, usersPerTenant });
    expect(await count(1, 10)).toEqual({ users: 3, byKey: [3] });
    expect(await count(2, 2)).toEqual({ users: 4, byKey: [4] });
  });
});
