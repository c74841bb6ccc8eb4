import type { LangGraphCheckpoint } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { GraphClient } from './graph-client.fixture.js';

/** Three of them are beyond what a page may have. */
const LARGE = 3_000_000;

const writeOf = (idx: number, value: string, channel = 'messages') => ({ idx, channel, type: 'json', value });
/** As the server makes them. */
const encodeCursor = (key: readonly unknown[]) => Buffer.from(JSON.stringify(key)).toString('base64url');
const NONE = { checkpoints: 0, writes: 0 };

describe('threads of LangGraph over HTTP', () => {
  let gateway: TestGateway;
  let graphs: GraphClient;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { ANNALS_CHECKPOINT_MAX_BYTES: String(LARGE), ANNALS_BODY_LIMIT_BYTES: '8000000' },
    });
  });
  beforeEach(async () => {
    const tenantId = await gateway.makeTenant(gateway.infrastructure.ids.next());
    graphs = new GraphClient(gateway, await gateway.makeKey({ tenantId }));
  });
  afterAll(() => gateway.close());

  /** Checkpoints c1, c2 …, each with a write behind it. */
  async function addThread(thread: string, count: number, body: object = {}): Promise<void> {
    for (let n = 1; n <= count; n += 1) {
      const parent_id = n === 1 ? null : `c${n - 1}`;
      await graphs.put(thread, `c${n}`, { parent_id, state: `${thread} ${n}`, metadata: { step: n }, ...body });
      await graphs.putWrites(thread, `c${n}`, { writes: [writeOf(0, String(n))] });
    }
  }

  describe('search', () => {
    it('finds checkpoints by thread, namespace, id, user and metadata, those with the greatest ids first', async () => {
      await addThread('t1', 3, { user_id: 'ada' });
      const metadata = {
        source: 'loop',
        writes: { agent: { name: 'planner', tags: ['a', 'b'] }, other: null },
        n: 1.5,
      };
      await graphs.put('t2', 'd1', { user_id: 'bob', state: '{}', metadata });
      await graphs.put('t2', 'd2', { state: '{}', metadata: { source: 'a\0b\ud800' } }, '?checkpoint_ns=sub');
      const { items, next_cursor: next } = (await graphs.search({ thread_id: 't1' })).body;
      expect(items.map(({ state, writes }) => [state, writes[0]!.value])).toEqual([
        ['t1 3', '3'],
        ['t1 2', '2'],
        ['t1 1', '1'],
      ]);
      expect(next).toBeNull();
      expect(items[0]).toEqual((await graphs.get('t1')).body);
      for (const [body, ids] of [
        [{}, ['d2', 'd1', 'c3', 'c2', 'c1']],
        [{ user_id: 'ada' }, ['c3', 'c2', 'c1']],
        [{ thread_id: 't2', checkpoint_ns: 'sub' }, ['d2']],
        [{ thread_id: 't1', before: 'c3' }, ['c2', 'c1']],
        [{ thread_id: 't1', checkpoint_id: 'c2' }, ['c2']],
        [{ thread_id: 't1', metadata: { step: 2 } }, ['c2']],
        [{ metadata: { writes: { agent: { name: 'planner' } } } }, ['d1']],
        [{ metadata: { writes: { agent: { tags: ['b'] } }, n: 1.5 } }, ['d1']],
        [{ metadata: { writes: { other: null } } }, ['d1']],
        [{ metadata: { writes: { agent: { name: 'stylist' } } } }, []],
        [{ metadata: { name: 'planner' } }, []],
        // As it is stored, without what jsonb cannot hold.
        [{ metadata: { source: 'a\0b\ud800' } }, ['d2']],
        [{ metadata: { source: "loop' OR true --" } }, []],
        [{ user_id: 'bob', thread_id: 't1' }, []],
      ] as const)
        expect([body, await graphs.find(body)]).toEqual([body, ids]);
    });

    it('pages without losing or repeating any, also while checkpoints are added', async () => {
      // The longest ids with characters of several bytes: a cursor holds them.
      const idOf = (n: number) => `${String(n).padStart(3, '0')}${'\u{1}é漢'.repeat(65)}`;
      const numbers = Array.from({ length: 11 }, (_, n) => n);
      for (const n of numbers) await graphs.put(`t${n % 3}`, encodeURIComponent(idOf(n)), { state: String(n) });
      const found: LangGraphCheckpoint[] = [];
      let cursor: string | undefined;
      do {
        const page = await graphs.search({ limit: 4, cursor });
        expect(page.status).toBe(200);
        found.push(...page.body.items);
        cursor = page.body.next_cursor ?? undefined;
        await graphs.put('t0', `${999 - found.length}`, { state: 'added' });
      } while (cursor !== undefined);
      expect(found.map(({ state }) => state)).toEqual(numbers.toReversed().map(String));
    });

    it('ends a page early when its states are large, and always has one', async () => {
      const state = 'x'.repeat(LARGE);
      for (const id of ['c1', 'c2', 'c3', 'c4', 'c5']) await graphs.put('large', id, { state });
      const first = (await graphs.search({ thread_id: 'large', limit: 100 })).body;
      expect(first.items.map(({ checkpoint_id: id }) => id)).toEqual(['c5', 'c4', 'c3']);
      const rest = (await graphs.search({ thread_id: 'large', limit: 100, cursor: first.next_cursor })).body;
      expect(rest.items.map(({ checkpoint_id: id }) => id)).toEqual(['c2', 'c1']);
      expect(rest.items.every((item) => item.state === state)).toBe(true);
      expect(rest.next_cursor).toBeNull();
    });

    it.each([
      'x',
      encodeCursor(['c1', 'no uuid', 1]),
      encodeCursor(['c1', '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e', 1.5]),
    ])('refuses the cursor %s', async (cursor) => {
      expect(await graphs.search({ cursor })).toMatchObject({ status: 400 });
    });

    it('finds nothing behind a position that no row can have', async () => {
      const cursor = encodeCursor(['c1', '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e', Number.MAX_SAFE_INTEGER]);
      expect((await graphs.search({ cursor })).status).toBeLessThan(500);
    });
  });

  describe('history', () => {
    const replayed_channels = ['messages', 'files'];

    it('has the writes of ancestors to the channels, up to one that may hold their value', async () => {
      await addThread('t', 1);
      await addThread('t', 5, { replayed_channels });
      await graphs.put('t', 'c2', { parent_id: 'c1', state: 'holds the files', replayed_channels: ['messages'] });
      await graphs.putWrites('t', 'c3', { writes: [writeOf(1, 'f', 'files'), writeOf(2, 'o', 'other')] });
      const read = async (body: object) => (await graphs.history('t', { checkpoint_id: 'c5', ...body })).body.items;
      const messages = await read({ channels: ['messages'] });
      expect(messages.map(({ checkpoint_id: id, parent_id, state }) => [id, parent_id, state])).toEqual([
        ['c4', 'c3', null],
        ['c3', 'c2', null],
        ['c2', 'c1', null],
        ['c1', null, null],
      ]);
      expect(messages.map(({ writes }) => writes.map(({ value }) => value))).toEqual([['4'], ['3'], ['2'], ['1']]);
      const both = await read({ channels: ['messages', 'files'] });
      expect(both.map(({ checkpoint_id: id, state }) => [id, state])).toEqual([
        ['c4', null],
        ['c3', null],
        ['c2', 'holds the files'],
      ]);
      expect(both[1]!.writes.map(({ channel }) => channel)).toEqual(['messages', 'files']);
      expect((await read({ channels: ['other'] })).map(({ state }) => state)).toEqual(['t 4']);
      expect(await read({ channels: ['messages'], limit: 2 })).toHaveLength(2);
      for (const none of [{ checkpoint_id: 'c9' }, { checkpoint_ns: 'sub' }, { checkpoint_id: 'c1' }])
        expect(await read({ channels: ['messages'], ...none })).toEqual([]);
      expect((await graphs.history('unknown', { checkpoint_id: 'c1', channels: ['c'] })).body.items).toEqual([]);
      expect(await graphs.history('t', { checkpoint_id: 'c1', channels: [] })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'body.channels' }] },
      });
    });

    it('goes round in no circle', async () => {
      for (const [id, parent_id] of [
        ['a', 'b'],
        ['b', 'a'],
      ] as const)
        await graphs.put('circle', id, { parent_id, state: id, replayed_channels });
      const { items } = (await graphs.history('circle', { checkpoint_id: 'a', channels: ['files'], limit: 7 })).body;
      expect(items).toHaveLength(7);
      expect((await graphs.prune({ thread_ids: ['circle'] })).status).toBe(200);
    });
  });

  it('are listed in the order of their ids, page by page, also of one user', async () => {
    await addThread('b', 2, { user_id: 'ada' });
    await addThread('a', 1);
    await addThread('c', 1, { user_id: 'bob' });
    await graphs.putWrites('d', 'c1', { user_id: 'ada', writes: [] });
    const { items } = (await graphs.list()).body;
    expect(items.map(({ thread_id, user_id, checkpoints }) => [thread_id, user_id, checkpoints])).toEqual([
      ['a', 'langgraph:a', 1],
      ['b', 'ada', 2],
      ['c', 'bob', 1],
      ['d', 'ada', 0],
    ]);
    expect(items.map(({ stored_bytes: bytes }) => bytes > 0)).toEqual([true, true, true, false]);
    const first = (await graphs.list('?limit=3')).body;
    const second = (await graphs.list(`?limit=3&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(items);
    expect((await graphs.list('?user_id=ada')).body.items.map(({ thread_id: id }) => id)).toEqual(['b', 'd']);
    expect((await graphs.list('?cursor=x')).status).toBe(400);
  });

  it('are pruned to the newest checkpoints and those that a replayed channel needs; unknown ones are passed over', async () => {
    await addThread('plain', 4);
    await graphs.put('plain', 'c1', { state: 'sub' }, '?checkpoint_ns=sub');
    await addThread('replayed', 2);
    await graphs.put('replayed', 'c3', { parent_id: 'c2', state: 'three', replayed_channels: ['messages'] });
    await graphs.put('replayed', 'c4', { parent_id: 'c3', state: 'four', replayed_channels: ['messages'] });
    await addThread('other', 2);
    const thread_ids = ['plain', 'unknown', 'replayed', 'plain'];
    expect((await graphs.prune({ thread_ids })).body).toEqual({ checkpoints: 4, writes: 4 });
    expect(await graphs.find({ thread_id: 'plain' })).toEqual(['c4', 'c1']);
    expect(await graphs.find({ thread_id: 'replayed' })).toEqual(['c4', 'c3', 'c2']);
    expect((await graphs.get('replayed', '?checkpoint_id=c2')).body).toMatchObject({ state: 'replayed 2' });
    expect(await graphs.find({ thread_id: 'other' })).toEqual(['c2', 'c1']);
    expect((await graphs.prune({ thread_ids })).body).toEqual(NONE);
    expect((await graphs.prune({ thread_ids: [], strategy: 'delete' })).body).toEqual(NONE);
    const deleted = await graphs.prune({ thread_ids: ['plain', 'unknown'], strategy: 'delete' });
    expect(deleted.body).toEqual({ checkpoints: 2, writes: 1 });
    expect((await graphs.list()).body.items.map(({ thread_id: id }) => id)).toEqual(['other', 'replayed']);
    const invalid = { status: 400, body: { errors: [{ path: 'body.strategy' }] } };
    expect(await graphs.prune({ thread_ids: [], strategy: 'all' })).toMatchObject(invalid);
  });

  it('are copied to a new id alone', async () => {
    await addThread('source', 3, { user_id: 'ada' });
    expect(await graphs.copy('source', 'copy')).toMatchObject({ status: 201, body: { checkpoints: 3, writes: 3 } });
    const [source, copy] = [await graphs.search({ thread_id: 'source' }), await graphs.search({ thread_id: 'copy' })];
    expect(copy.body.items).toEqual(
      source.body.items.map((item) => ({ ...item, thread_id: 'copy', version: expect.any(String) })),
    );
    expect((await graphs.list('?user_id=ada')).body.items).toHaveLength(2);
    expect(await graphs.copy('source', 'copy')).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
    expect(await graphs.copy('source', 'source')).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
    expect(await graphs.copy('unknown', 'new')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await graphs.put('copy', 'c4', { state: 'of the copy' });
    expect(await graphs.find({ thread_id: 'source' })).toEqual(['c3', 'c2', 'c1']);
  });

  it('are deleted once; of one that does not exist nothing is', async () => {
    await addThread('gone', 2);
    expect(await graphs.delete('gone')).toMatchObject({ status: 200, body: { checkpoints: 2, writes: 2 } });
    expect(await graphs.delete('gone')).toMatchObject({ status: 200, body: NONE });
    expect((await graphs.get('gone')).status).toBe(404);
    expect((await graphs.putWrites('gone', 'c1', { writes: [writeOf(0, 'new')] })).status).toBe(200);
  });

  it('are copied, pruned and deleted once when a request is repeated under one Idempotency-Key', async () => {
    await addThread('source', 3);
    const under = (key: string) => ({ headers: { 'idempotency-key': key } });
    for (const send of [
      () => graphs.copy('source', 'copy', under('copy')),
      () => graphs.prune({ thread_ids: ['source'] }, under('prune')),
      () => graphs.delete('copy', under('delete')),
    ]) {
      const [first, again] = [await send(), await send()];
      expect(first.body.checkpoints).toBeGreaterThan(0);
      expect(again).toMatchObject({ status: first.status, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    const other = await graphs.prune({ thread_ids: ['copy'] }, under('prune'));
    expect(other.status).toBe(409);
  });
});
