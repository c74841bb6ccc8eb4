import { lockItems, putItems } from '@annals/storage';
import { createStoreItemsJob } from './jobs/store-items-job.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('langgraph_items job', () => {
  let fixture: MaintenanceFixture;

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
  });
  afterAll(() => fixture.close());

  const put = (tenantId: string, count: number, ttlMinutes: number | null) =>
    fixture.database.inTenant(tenantId, async (tx) => {
      const scope = { userId: 'ada', now: fixture.clock.now() };
      const items = Array.from({ length: count }, (_, n) => ({
        namespace: ['n', `${ttlMinutes ?? 'forever'}`],
        key: `k${n}`,
        json: '{}',
        words: '',
        ttlMinutes,
        texts: [{ text: 'tea', vector: Float32Array.of(1, 0) }],
      }));
      await lockItems(tx, scope, { places: items, mayInsert: true });
      await putItems(tx, scope, { items, model: 'm' }, fixture);
    });
  const count = async (tenantId: string) => {
    const [row] = await fixture.query<{ items: number; vectors: number }>(
      tenantId,
      `SELECT (SELECT count(*)::integer FROM langgraph_items) AS items,
              (SELECT count(*)::integer FROM langgraph_item_vectors) AS vectors`,
    );
    return row;
  };

  it('deletes the items of every tenant that have expired, with their vectors, and no others', async () => {
    const runner = fixture.addRunner();
    runner.add(createStoreItemsJob({ intervalMs: HOUR_MS }));
    const [one, two] = [await fixture.addTenant('one'), await fixture.addTenant('two')];
    // More than one step deletes.
    await put(one, 1_200, 90);
    await put(two, 3, 90);
    await put(two, 2, 600);
    await put(two, 1, null);
    await runner.runDue();
    expect([await count(one), await count(two)]).toEqual([
      { items: 1_200, vectors: 1_200 },
      { items: 6, vectors: 6 },
    ]);
    fixture.clock.advance(90 * MINUTE_MS);
    await runner.runDue();
    expect([await count(one), await count(two)]).toEqual([
      { items: 0, vectors: 0 },
      { items: 3, vectors: 3 },
    ]);
    fixture.clock.advance(100 * HOUR_MS);
    await runner.runDue();
    expect(await count(two)).toEqual({ items: 1, vectors: 1 });
  });

  it('stops when its time budget is used up and continues in the next run', async () => {
    const tenant = await fixture.addTenant('three');
    await put(tenant, 5, 1);
    fixture.clock.advance(MINUTE_MS);
    const job = createStoreItemsJob({ intervalMs: HOUR_MS });
    const { database, clock } = fixture;
    const { signal } = new AbortController();
    const stopped = await job.run({ database, clock, signal, cursor: null, budgetMs: 0 });
    expect([stopped, await count(tenant)]).toMatchObject([{ done: 0, cursor: 'more' }, { items: 5 }]);
    const rest = await job.run({ database, clock, signal, cursor: stopped.cursor, budgetMs: 60_000 });
    expect([rest, await count(tenant)]).toMatchObject([{ done: 5, cursor: null }, { items: 0 }]);
  });
});
