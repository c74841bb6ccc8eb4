import { createHash, randomBytes } from 'node:crypto';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { addItemVectors, loadTextsWithoutVector, requestItemVectors } from './late-item-vectors.js';
import { lockItems, purgeExpiredItems, putItems } from './write-items.js';

const USER = 'ada';
const KEYS = Array.from({ length: 12 }, (_, n) => `k${n}`);

// The embedded database serializes transactions, so these races cannot happen there.
describe('late vectors beside writers of the same items', () => {
  let fixture: StorageFixture;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const scope = () => ({ userId: USER, now: fixture.clock.now() });
  const itemsOf = (keys: readonly string[], text: string) =>
    keys.map((key) => ({
      namespace: ['n'],
      key,
      json: '{}',
      words: '',
      ttlMinutes: null,
      texts: [{ text, vector: null }],
    }));
  const put = (keys: readonly string[], text: string, beforeCommit: () => Promise<unknown> = async () => undefined) =>
    fixture.inTenant(tenantId, async (tx) => {
      const items = itemsOf(keys, text);
      await lockItems(tx, scope(), { places: items, mayInsert: true });
      // In steps, as a batch in which reads see writes.
      for (const item of items) await putItems(tx, scope(), { items: [item], model: 'm' }, fixture);
      await requestItemVectors(tx, USER, { ids: fixture.ids, now: fixture.clock.now() });
      await beforeCommit();
    });
  const load = async () => {
    const [user] = await fixture.queryAsSuperuser<{ subject_id: string }>(
      'SELECT subject_id FROM users WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, USER],
    );
    const query = { subjectId: user!.subject_id, model: 'm', now: fixture.clock.now(), limit: 100 };
    return (await fixture.inTenant(tenantId, (tx) => loadTextsWithoutVector(tx, query)))!.texts;
  };
  const add = (missing: Awaited<ReturnType<typeof load>>) =>
    fixture.inTenant(tenantId, (tx) =>
      addItemVectors(tx, USER, {
        model: 'm',
        vectors: missing.map(({ itemId, ordinal, text }) => ({
          itemId,
          ordinal,
          model: 'm',
          contentHash: createHash('sha256').update(text).digest(),
          vector: Float32Array.of(1, 0),
        })),
      }),
    );
  const count = async () => {
    const [row] = await fixture.queryAsSuperuser<{ count: number }>(
      'SELECT count(*)::integer AS count FROM langgraph_item_vectors WHERE tenant_id = $1',
      [tenantId],
    );
    return row!.count;
  };

  it('pass by an item whose put is not committed, and wait for nobody', async () => {
    await put(['a', 'b'], 'before');
    const missing = await load();
    await put(['a'], 'after', async () => {
      expect(await add(missing)).toEqual({ added: 1, passedBy: 1 });
    });
    expect([await count(), (await load()).map(({ text }) => text)]).toEqual([1, ['after']]);
  });

  it('never wait in a ring with puts and other runs, and leave no vector of an earlier text', async () => {
    await put(KEYS, 'text 0');
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const missing = await load();
        await Promise.all([
          add(n % 2 === 0 ? missing : missing.toReversed()),
          put(n % 2 === 0 ? KEYS.toReversed() : KEYS, `text ${n}`),
          add(missing),
        ]);
      }),
    );
    await put(KEYS, 'the last');
    expect(await count()).toBe(0);
    expect(await add(await load())).toEqual({ added: KEYS.length, passedBy: 0 });
  });

  it('leave nothing behind when their user is erased or their item expires meanwhile', async () => {
    await put(KEYS, 'velmorphic');
    const missing = await load();
    const erasure = fixture.inTenant(tenantId, (tx) =>
      eraseUser(
        tx,
        { userId: USER, actor: 'test', key: Buffer.alloc(32, 9) },
        { clock: fixture.clock, ids: fixture.ids, randomBytes },
      ),
    );
    await fixture.queryAsSuperuser(`UPDATE langgraph_items SET expires_at = $2 WHERE tenant_id = $1 AND key = 'k1'`, [
      tenantId,
      new Date(fixture.clock.now()),
    ]);
    await Promise.all([
      erasure,
      add(missing),
      purgeExpiredItems(fixture.database, fixture.clock.now(), 10),
      add(missing.toReversed()),
    ]);
    expect([await count(), await fixture.findTablesContaining('velmorphic')]).toEqual([0, []]);
  });
});
