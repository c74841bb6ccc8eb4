import { createHash, randomBytes } from 'node:crypto';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { deleteTenant } from '../tenants/tenants.js';
import {
  addItemVectors,
  findItemsWithoutVector,
  ITEM_TEXTS_START,
  type ItemTextPosition,
  type ItemWithoutVector,
  loadTextsWithoutVector,
  requestAbsentItemVectors,
  requestItemVectors,
  type TextWithoutVector,
} from './late-item-vectors.js';
import { deleteItems, type IndexedText, lockItems, putItems } from './write-items.js';

const NEW = 'new';
const OLD = 'old';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const EAST = Float32Array.of(1, 0);
const NORTH = Float32Array.of(0, 1);

describe('late vectors of items', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let users = 0;
  let userId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    userId = `user-${++users}`;
  });
  afterEach(() => deleteTenant(fixture.database, tenantId));
  afterAll(() => fixture.close());

  const late = (text: string): IndexedText => ({ text, vector: null });
  const scope = (owner = userId) => ({ userId: owner, now: fixture.clock.now() });
  const placeOf = (key: string) => ({ namespace: ['n'], key });
  const put = (
    texts: Readonly<Record<string, readonly IndexedText[]>>,
    { model = NEW, owner = userId, tenant = tenantId, ttlMinutes = null as number | null } = {},
  ) =>
    fixture.inTenant(tenant, async (tx) => {
      const items = Object.entries(texts).map(([key, ofItem]) => ({
        ...placeOf(key),
        json: '{}',
        words: '',
        ttlMinutes,
        texts: ofItem,
      }));
      await lockItems(tx, scope(owner), { places: items, mayInsert: true });
      await putItems(tx, scope(owner), { items, model }, fixture);
    });
  const find = (more: { after?: ItemTextPosition; scan?: number } = {}) =>
    findItemsWithoutVector(fixture.database, {
      model: NEW,
      now: fixture.clock.now(),
      after: ITEM_TEXTS_START,
      scan: 1_000,
      ...more,
    });
  const subjectOf = async (owner = userId) => {
    const rows = await fixture.queryAsSuperuser<{ subject_id: string }>(
      'SELECT subject_id FROM users WHERE tenant_id = $1 AND user_id = $2',
      [tenantId, owner],
    );
    return rows[0]!.subject_id;
  };
  const load = async (limit = 100, owner = userId) => {
    const query = { subjectId: await subjectOf(owner), model: NEW, now: fixture.clock.now(), limit };
    return fixture.inTenant(tenantId, (tx) => loadTextsWithoutVector(tx, query));
  };
  const textsOf = async (limit?: number) => (await load(limit))!.texts.map(({ text }) => text);
  const add = (texts: readonly TextWithoutVector[], vector = EAST, tenant = tenantId) =>
    fixture.inTenant(tenant, (tx) => {
      const vectors = texts.map(({ itemId, ordinal, text }) => {
        const contentHash = createHash('sha256').update(text).digest();
        return { itemId, ordinal, model: NEW, contentHash, vector };
      });
      return addItemVectors(tx, userId, { model: NEW, vectors });
    });
  const vectors = () =>
    fixture.queryAsSuperuser(
      `SELECT i.key, v.ordinal, v.model, v.vector::text AS vector FROM langgraph_item_vectors v
         JOIN langgraph_items i USING (tenant_id, item_id) WHERE v.tenant_id = $1 ORDER BY i.key, v.ordinal, v.model`,
      [tenantId],
    );
  const vectorOf = (key: string, ordinal: number, vector = '[1,0]', model = NEW) => ({ key, ordinal, model, vector });
  const work = () =>
    fixture.queryAsSuperuser('SELECT kind, subject_id, generation::integer FROM work WHERE tenant_id = $1', [tenantId]);
  const erase = () =>
    fixture.inTenant(tenantId, (tx) =>
      eraseUser(
        tx,
        { userId, actor: 'test', key: Buffer.alloc(32, 9) },
        { clock: fixture.clock, ids: fixture.ids, randomBytes },
      ),
    );

  it('are found to be missing with all tenants, page by page, by item and not by text', async () => {
    const other = await fixture.addTenant();
    await put({ a: [late('a0'), late('a1')], b: [{ text: 'b0', vector: EAST }], c: [] });
    await put({ d: [late('d0')] }, { tenant: other, owner: 'another' });
    const owners = (due: readonly ItemWithoutVector[]) => new Map(due.map((row) => [row.tenantId, row.userId]));
    const { due } = await find();
    expect([due.length, owners(due)]).toEqual([
      2,
      new Map([
        [tenantId, userId],
        [other, 'another'],
      ]),
    ]);
    const found: ItemWithoutVector[] = [];
    let pages = 0;
    for (let after: ItemTextPosition | null = ITEM_TEXTS_START; after !== null; pages += 1) {
      const step = await find({ after, scan: 1 });
      found.push(...step.due);
      after = step.position;
    }
    expect(pages).toBe(5);
    expect(new Set(found.map(({ itemId }) => itemId)).size).toBe(2);
    await deleteTenant(fixture.database, other);
    expect(owners((await find()).due)).toEqual(new Map([[tenantId, userId]]));
  });

  it('are loaded a page at a time, of one user, in their order', async () => {
    await put({ a: [late('a0'), { text: 'a1', vector: EAST }, late('a2')] });
    await put({ b: [late('b0')] });
    await put({ x: [late('of another user')] }, { owner: 'another' });
    expect([await textsOf(), await textsOf(2)]).toEqual([
      ['a0', 'a2', 'b0'],
      ['a0', 'a2'],
    ]);
    const unknown = { subjectId: fixture.ids.next(), model: NEW, now: fixture.clock.now(), limit: 9 };
    expect(await fixture.inTenant(tenantId, (tx) => loadTextsWithoutVector(tx, unknown))).toBeNull();
  });

  it('are added once, and replace those of other models', async () => {
    const texts = [
      { text: 'a0', vector: NORTH },
      { text: 'a1', vector: NORTH },
    ];
    await put({ a: texts, b: texts.slice(0, 1) }, { model: OLD });
    const missing = (await load())!.texts;
    expect(await add(missing.slice(0, 2))).toEqual({ added: 2, passedBy: 0 });
    const ofB = vectorOf('b', 0, '[0,1]', OLD);
    expect(await vectors()).toEqual([vectorOf('a', 0), vectorOf('a', 1), ofB]);
    expect(await add(missing.slice(0, 2), NORTH)).toEqual({ added: 0, passedBy: 0 });
    expect(await vectors()).toEqual([vectorOf('a', 0), vectorOf('a', 1), ofB]);
    expect(await textsOf()).toEqual(['a0']);
    await add(missing.slice(2));
    expect([await textsOf(), (await find()).due]).toEqual([[], []]);
  });

  it('do not replace what a put in between has stored', async () => {
    await put({ a: [late('a0'), late('same')], b: [late('b0')], c: [late('c0')] });
    const missing = (await load())!.texts;
    await put({ a: [late('changed'), late('same')], b: [{ text: 'b0', vector: NORTH }], c: [] });
    // The vector of a text that is the same fits, whoever has stored the text.
    expect(await add(missing)).toEqual({ added: 1, passedBy: 0 });
    expect(await vectors()).toEqual([vectorOf('a', 1), vectorOf('b', 0, '[0,1]')]);
    expect(await textsOf()).toEqual(['changed']);
  });

  it('are not added to an item that was deleted, also when it was put again', async () => {
    await put({ a: [late('a0')], b: [late('b0')], stays: [late('c0')] });
    const missing = (await load())!.texts;
    const places = [placeOf('a'), placeOf('b')];
    await fixture.inTenant(tenantId, async (tx) => {
      await lockItems(tx, scope(), { places, mayInsert: false });
      await deleteItems(tx, scope(), places);
    });
    await put({ b: [late('b0')] });
    expect(await add(missing)).toEqual({ added: 1, passedBy: 2 });
    expect(await vectors()).toEqual([vectorOf('stays', 0)]);
    expect(await textsOf()).toEqual(['b0']);
  });

  it('are not added for a user who was erased, and leave no text', async () => {
    await put({ a: [late('quixotrium')] });
    const missing = (await load())!.texts;
    expect(await fixture.findTablesContaining('quixotrium')).toEqual(['langgraph_item_texts']);
    await fixture.inTenant(tenantId, (tx) =>
      requestItemVectors(tx, userId, { ids: fixture.ids, now: fixture.clock.now() }),
    );
    expect((await erase())!.receipt.counts).toMatchObject({ langgraph_item_texts: 1, langgraph_items: 1, work: 1 });
    expect(await add(missing)).toEqual({ added: 0, passedBy: 0 });
    expect([await vectors(), await fixture.findTablesContaining('quixotrium')]).toEqual([[], []]);
  });

  it('are not made of another tenant, whose item has the id', async () => {
    await put({ a: [late('a0')] });
    const missing = (await load())!.texts;
    const stranger = await fixture.addTenant();
    await put({ a: [] }, { tenant: stranger });
    expect(await add(missing, EAST, stranger)).toEqual({ added: 0, passedBy: 1 });
    expect(await vectors()).toEqual([]);
    await deleteTenant(fixture.database, stranger);
  });

  it('are not made for items that have expired', async () => {
    await put({ a: [late('a0')] }, { ttlMinutes: 1 });
    expect([await textsOf(), (await find()).due.length]).toEqual([['a0'], 1]);
    fixture.clock.advance(MINUTE_MS);
    expect([await textsOf(), (await find()).due]).toEqual([[], []]);
  });

  it('are asked for once by user, without a word of theirs', async () => {
    await put({ a: [late('quixotrium')] });
    const now = fixture.clock.now();
    const request = { now, ids: fixture.ids, failedUntil: now - DAY_MS };
    const askAbsent = () => fixture.inTenant(tenantId, (tx) => requestAbsentItemVectors(tx, userId, request));
    expect([await askAbsent(), await askAbsent()]).toEqual([1, 0]);
    expect(await work()).toEqual([{ kind: 'item_vectors', subject_id: await subjectOf(), generation: 1 }]);
    await fixture.queryAsSuperuser(
      `UPDATE work SET failed_at = $2, failure_code = 'invalid_request' WHERE tenant_id = $1`,
      [tenantId, new Date(now - 60_000)],
    );
    expect(await askAbsent()).toBe(0);
    // What fails is tried again at once when something new causes it.
    await fixture.inTenant(tenantId, (tx) => requestItemVectors(tx, userId, request));
    expect(await work()).toMatchObject([{ generation: 2 }]);
    expect(await fixture.inTenant(tenantId, (tx) => requestAbsentItemVectors(tx, 'nobody', request))).toBe(0);
  });
});
