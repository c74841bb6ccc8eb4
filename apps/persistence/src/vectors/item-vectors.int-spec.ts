import { randomBytes } from 'node:crypto';
import { ManualClock } from '@annals/domain';
import {
  createTenant,
  deleteItems,
  eraseUser,
  type IndexedText,
  listWork,
  lockItems,
  putItems,
  requestItemVectors,
  searchItems,
  setTenantBudget,
  wakeDeferredBatches,
} from '@annals/storage';
import { createTestDatabase, type TestDatabase, waitUntil } from '@annals/testing';
import { createItemVectorJob } from '../maintenance/item-vector-job.js';
import { EmbeddingServer } from '../persistence/embed/embedding-server.fixture.js';
import type { PersistenceService } from '../persistence/persistence-service.fixture.js';

const USER = 'ada';
const OLD_MODEL = 'a model of before';

describe('work of kind item_vectors', () => {
  const embeddings = new EmbeddingServer();
  let database: TestDatabase;
  let service: PersistenceService;
  /** Another tenant for each test: their work does not mix. */
  let tenant: PersistenceService;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await embeddings.startService(database);
  });
  beforeEach(async () => {
    embeddings.status = 200;
    embeddings.inputs.length = 0;
    embeddings.onRequest = async () => undefined;
    tenant = await addTenant();
  });
  afterAll(async () => {
    await service?.stop();
    await embeddings.stop();
    await database?.drop();
  });

  async function addTenant(): Promise<PersistenceService> {
    const { database: stores, ids, clock } = service.running.infrastructure;
    const id = ids.next();
    await createTenant(stores, { id, name: `tenant ${id}`, now: clock.now() });
    return service.asTenant(id);
  }

  const late = (text: string): IndexedText => ({ text, vector: null });
  const scope = () => ({ userId: USER, now: service.running.infrastructure.clock.now() });
  const makeItem = (key: string, texts: readonly IndexedText[]) => ({
    namespace: ['n'],
    key,
    json: '{}',
    words: '',
    ttlMinutes: null,
    texts,
  });
  /** As the gateway does: `asks` when a vector could not be made. */
  const put = (
    texts: Readonly<Record<string, readonly IndexedText[]>>,
    { of = tenant, model = embeddings.model, asks = true } = {},
  ) =>
    of.inTenant(async (tx) => {
      const { ids } = service.running.infrastructure;
      const items = Object.entries(texts).map(([key, ofItem]) => makeItem(key, ofItem));
      await lockItems(tx, scope(), { places: items, mayInsert: true });
      await putItems(tx, scope(), { items, model }, { ids });
      if (asks) await requestItemVectors(tx, USER, { now: scope().now, ids });
    });
  const putOfBefore = (texts: readonly string[], of = tenant) =>
    put(Object.fromEntries(texts.map((text) => [text, [{ text, vector: Float32Array.of(0, 1) }]])), {
      of,
      model: OLD_MODEL,
      asks: false,
    });
  const kick = () => service.running.infrastructure.relay.kick();
  const runScan = (laterMs = 0) => {
    const { database: stores, ids, clock: systemClock } = service.running.infrastructure;
    const clock = new ManualClock(systemClock.now() + laterMs);
    const run = { database: stores, clock, signal: new AbortController().signal, cursor: null, budgetMs: 60_000 };
    return createItemVectorJob({ embedder: embeddings, ids }).run(run);
  };
  const findWork = async (of = tenant) => (await of.inTenant((tx) => listWork(tx, { limit: 50 }))).items[0];
  const waitForEnd = (of = tenant) =>
    waitUntil(async () => (await findWork(of)) === undefined, { describe: 'the work has ended' });
  const waitForWork = (expected: object, of = tenant) =>
    waitUntil(
      async () => {
        const work = await findWork(of);
        return work && Object.entries(expected).every(([key, value]) => work[key as keyof typeof work] === value)
          ? work
          : undefined;
      },
      { describe: `the work is ${JSON.stringify(expected)}` },
    );
  const makeDue = async (of = tenant) => {
    const now = new Date(scope().now);
    await of.inTenant((tx) =>
      tx.execute('UPDATE work SET available_at = $1, rank_at = $1, is_scheduled = false', [now]),
    );
    kick();
  };
  /** Keys of what is found by meaning. */
  const search = async (of = tenant) => {
    const vector = { model: embeddings.model, vector: Float32Array.of(1, 0, 0, 0), minCosine: 0.9 };
    const found = await of.inTenant((tx) =>
      searchItems(
        tx,
        { ...scope(), maxBytes: 1_000_000 },
        { prefix: [], conditions: [], ranking: { words: null, vector, vectorWeight: 1 }, limit: 200, offset: 0 },
      ),
    );
    return found.items.map(({ key }) => key).toSorted();
  };
  const countVectors = async (of = tenant) => {
    const rows = await of.inTenant((tx) =>
      tx.query<{ model: string; count: number }>(
        'SELECT model, count(*)::integer AS count FROM langgraph_item_vectors GROUP BY model',
      ),
    );
    return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
  };
  const texts = (count: number) => Array.from({ length: count }, (_, n) => `text ${String(n).padStart(3, '0')}`);

  it('is asked for by the put that lacks a vector, and has its items found by meaning', async () => {
    await put({
      a: [late('green tea'), { text: 'other', vector: Float32Array.of(0, 1, 0, 0) }],
      b: [late('green tea')],
    });
    kick();
    await waitForEnd();
    // Once for each text.
    expect([embeddings.inputs, await search()]).toEqual([[['green tea']], ['a', 'b']]);
    expect(await countVectors()).toEqual({ [embeddings.model]: 3 });
    expect(await runScan()).toEqual({ done: 0, cursor: null, problem: undefined });
  });

  it('gives items of all tenants vectors of a new model, page by page, and deletes those of the old one', async () => {
    const other = await addTenant();
    const many = texts(120);
    await putOfBefore(many);
    await putOfBefore(['of another tenant'], other);
    expect([await search(), await search(other)]).toEqual([[], []]);
    expect(await runScan()).toMatchObject({ done: 2, cursor: null });
    kick();
    await waitForEnd();
    await waitForEnd(other);
    expect([await search(), await search(other)]).toEqual([many, ['of another tenant']]);
    expect(await countVectors()).toEqual({ [embeddings.model]: 120 });
    expect(embeddings.inputs.flat().toSorted()).toEqual([...many, 'of another tenant'].toSorted());
    expect(Math.max(...embeddings.inputs.map(({ length }) => length))).toBe(32);
    expect(await runScan()).toMatchObject({ done: 0 });
  });

  it('waits for the budget of its tenant, spends no more than it, and stops no other tenant', async () => {
    const rich = await addTenant();
    const now = scope().now;
    await tenant.inTenant((tx) => setTenantBudget(tx, 1, now));
    await putOfBefore(['broth '.repeat(500)]);
    await putOfBefore(['soup'], rich);
    await runScan();
    kick();
    await waitForEnd(rich);
    expect(await search(rich)).toEqual(['soup']);
    await waitForWork({ kind: 'item_vectors', status: 'deferred', deferred_reason: 'budget_exceeded' });
    const usage = () => tenant.inTenant((tx) => tx.query('SELECT user_id FROM usage'));
    expect([embeddings.inputs, await search(), await usage()]).toEqual([[['soup']], [], []]);
    // Neither a scan nor a further put tries it again before its time.
    expect(await runScan()).toMatchObject({ done: 0 });
    await put({ more: [late('more')] });
    await waitForWork({ status: 'deferred' });

    const { database: stores } = service.running.infrastructure;
    await tenant.inTenant((tx) => setTenantBudget(tx, 1_000_000, now));
    await wakeDeferredBatches(stores, { tenantId: tenant.tenantId, reason: 'budget_exceeded', now, spreadMs: 0 });
    kick();
    await waitForEnd();
    expect(await search()).toHaveLength(2);
    // Without a user id: usage rows for users who are erased in the meantime would retain their ids.
    expect(await usage()).toEqual([{ user_id: null }]);
  });

  it('does not touch what is put or deleted while the model answers', async () => {
    await put({ kept: [late('kept')], changed: [late('before')], deleted: [late('deleted')] });
    embeddings.onRequest = async () => {
      embeddings.onRequest = async () => undefined;
      await tenant.inTenant(async (tx) => {
        const places = [{ namespace: ['n'], key: 'deleted' }];
        await lockItems(tx, scope(), { places, mayInsert: false });
        await deleteItems(tx, scope(), places);
      });
      await put({ changed: [{ text: 'after', vector: Float32Array.of(0, 1, 0, 0) }] }, { asks: false });
    };
    kick();
    await waitUntil(async () => (await search()).length > 0, { describe: 'the run has ended' });
    // What was not there is looked for again a minute later.
    await waitForWork({ status: 'waiting' });
    await makeDue();
    await waitForEnd();
    expect([await search(), await countVectors()]).toEqual([['kept'], { [embeddings.model]: 2 }]);
    expect(embeddings.inputs).toHaveLength(1);
  });

  it('leaves nothing of a user who is erased while the model answers, and none of their words in a log', async () => {
    const { clock, ids } = service.running.infrastructure;
    const erase = () =>
      tenant.inTenant((tx) =>
        eraseUser(tx, { userId: USER, actor: 'test', key: Buffer.alloc(32, 9) }, { clock, ids, randomBytes }),
      );
    let hasAnswered = false;
    embeddings.onRequest = async () => {
      const erased = await erase();
      expect(erased!.receipt.counts).toMatchObject({ langgraph_items: 2, langgraph_item_texts: 2, work: 1 });
      hasAnswered = true;
    };
    await put({ a: [late('velmorphic tea')], b: [late('velmorphic cake')] });
    kick();
    await waitUntil(() => hasAnswered, { describe: 'the model has answered' });
    embeddings.onRequest = async () => undefined;
    // The user returns, and their first run is not held up by what that one has left.
    await put({ c: [late('of the user who returned')] });
    kick();
    await waitForEnd();
    expect([await search(), await countVectors()]).toEqual([['c'], { [embeddings.model]: 1 }]);
    expect(service.lines.join('')).not.toContain('velmorphic');
  });

  it('runs again for a put during its run', async () => {
    embeddings.onRequest = async () => {
      embeddings.onRequest = async () => undefined;
      await put({ second: [late('second')] });
    };
    await put({ first: [late('first')] });
    kick();
    await waitForEnd();
    expect([await search(), embeddings.inputs]).toEqual([
      ['first', 'second'],
      [['first'], ['second']],
    ]);
  });

  it('gives all others their vectors when a text is refused, and fails visibly', async () => {
    embeddings.onRequest = async () =>
      void (embeddings.status = embeddings.inputs.at(-1)!.includes('refused') ? 400 : 200);
    await put({ a: [late('one')], b: [late('refused')], c: [late('three')] });
    kick();
    const failed = await waitForWork({ status: 'failed' });
    expect(failed).toMatchObject({ kind: 'item_vectors', user_id: USER, failure_code: 'invalid_request' });
    expect(await search()).toEqual(['a', 'c']);
    expect(service.lines.join('')).not.toContain('refused');
    const later = 24 * 60 * 60 * 1_000 + 60_000;
    embeddings.onRequest = async () => void (embeddings.status = 200);
    expect([(await runScan()).done, (await runScan(later)).done]).toEqual([0, 1]);
    await makeDue();
    await waitForEnd();
    expect(await search()).toEqual(['a', 'b', 'c']);
  });

  it('waits out an outage without failing', async () => {
    embeddings.status = 503;
    await put({ a: [late('tea')] });
    kick();
    await waitForWork({ status: 'deferred', deferred_reason: 'provider_unavailable' });
    embeddings.status = 200;
    await makeDue();
    await waitForEnd();
    expect(await search()).toEqual(['a']);
  });
});
