import type { Problem } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { GraphClient } from './graph-client.fixture.js';

const MAX_BYTES = 4_000_000;
const CANARY = 'tarnsquill';

const writeOf = (idx: number, value: string, channel = 'messages') => ({ idx, channel, type: 'json', value });

describe('checkpoints of LangGraph over HTTP', () => {
  let gateway: TestGateway;
  let graphs: GraphClient;
  let threads = 0;
  beforeAll(async () => {
    gateway = await startGateway({
      env: {
        ANNALS_CHECKPOINT_MAX_BYTES: String(MAX_BYTES),
        ANNALS_BODY_LIMIT_BYTES: '8000000',
        ANNALS_RATE_LIMIT_BYTES_PER_MINUTE: '800000000',
      },
    });
    graphs = new GraphClient(gateway, await gateway.makeKey({ tenantId: await gateway.makeTenant('graphs') }));
  });
  afterAll(() => gateway.close());

  const newThread = () => `thread ${++threads}/é`;

  it('saves states whole and as deltas, and returns the newest or the one that is named', async () => {
    const thread = newThread();
    const states = [1, 2, 3].map((step) => `${CANARY} \u0000 "é😀" ${'a longer state '.repeat(50)} ${step}`);
    const first = await graphs.put(thread, 'c1', { user_id: 'ada', state: states[0], metadata: { step: 1 } });
    expect(first).toMatchObject({ status: 200, body: { version: expect.any(String), takes_delta: true } });
    const second = await graphs.putDelta(thread, 'c2', states[1]!, { ...first.body, state: states[0]! });
    expect(second).toMatchObject({ status: 200, body: { takes_delta: true } });
    const third = await graphs.put(thread, 'c3', { parent_id: 'c2', state: states[2] });
    const read = await graphs.get(thread);
    expect(read).toMatchObject({ status: 200, body: { ...third.body, checkpoint_id: 'c3', parent_id: 'c2' } });
    expect(read.body).toMatchObject({ thread_id: thread, checkpoint_ns: '', state: states[2], writes: [] });
    const earlier = await graphs.get(thread, '?checkpoint_id=c1');
    expect(earlier.body).toMatchObject({ ...first.body, takes_delta: false, metadata: { step: 1 }, state: states[0] });
    expect((await graphs.get(thread, '?checkpoint_id=c2')).body.state).toBe(states[1]);
    expect(await graphs.put(thread, 'c2', { state: 'replaced' })).toMatchObject({ status: 200 });
    expect((await graphs.get(thread, '?checkpoint_id=c2')).body).toMatchObject({ state: 'replaced', parent_id: null });
    for (const missing of ['?checkpoint_id=c9', '?checkpoint_ns=sub'])
      expect(await graphs.get(thread, missing)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await graphs.get('unknown')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('keeps writes before and after their checkpoint, in the order in which LangGraph applies them', async () => {
    const thread = newThread();
    const send = (task: string, task_path: string, ...writes: object[]) =>
      graphs.putWrites(thread, 'c1', { user_id: 'ada', task_path, writes }, task);
    expect(await send('b', '~2', writeOf(1, 'kept'), writeOf(0, '0'), writeOf(-1, 'replaced'))).toMatchObject({
      status: 200,
      body: { writes: 3 },
    });
    expect((await graphs.get(thread)).status).toBe(404);
    await graphs.put(thread, 'c1', { user_id: 'ada', state: '{}' });
    await send('a', '~2', writeOf(0, CANARY, 'é'));
    await send('z', '', writeOf(0, ''));
    await send('b', '~2', writeOf(1, 'not stored'), writeOf(-1, 'last'));
    const { writes } = (await graphs.get(thread)).body;
    expect(writes.map(({ task_id: task, task_path: path, idx, value }) => [path, task, idx, value])).toEqual([
      ['', 'z', 0, ''],
      ['~2', 'a', 0, CANARY],
      ['~2', 'b', -1, 'last'],
      ['~2', 'b', 0, '0'],
      ['~2', 'b', 1, 'kept'],
    ]);
    expect(writes[1]).toEqual({ task_id: 'a', task_path: '~2', idx: 0, channel: 'é', type: 'json', value: CANARY });
  });

  it('separates namespaces', async () => {
    const thread = newThread();
    await graphs.put(thread, 'c1', { state: 'of the graph' });
    await graphs.put(thread, 'c1', { state: 'of a subgraph' }, '?checkpoint_ns=sub%7C1');
    await graphs.putWrites(thread, 'c1', { writes: [writeOf(0, '1')] }, 'task', '?checkpoint_ns=sub%7C1');
    expect((await graphs.get(thread)).body).toMatchObject({ state: 'of the graph', writes: [] });
    expect((await graphs.get(thread, '?checkpoint_ns=sub%7C1')).body).toMatchObject({
      checkpoint_ns: 'sub|1',
      state: 'of a subgraph',
      writes: [{ value: '1' }],
    });
    const of = async (body: object) => (await graphs.search({ thread_id: thread, ...body })).body.items;
    expect((await of({ checkpoint_ns: '' })).map(({ state }) => state)).toEqual(['of the graph']);
    expect(await of({})).toHaveLength(2);
  });

  const long = 'x'.repeat(201);
  const delta = { base: '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e.1.1', data: 'AA==' };
  it.each<[string, object, string]>([
    ['neither a state nor a delta', {}, 'body.state'],
    ['both', { state: '{}', delta }, 'body.state'],
    ['a base that was not issued', { delta: { ...delta, base: 'c1' } }, 'body.delta.base'],
    ['a delta that is not base64', { delta: { ...delta, data: '%' } }, 'body.delta.data'],
    ['a truncated delta', { delta: { ...delta, data: Buffer.from([20, 1]).toString('base64') } }, 'body.delta.data'],
    ['a state with a lone surrogate', { state: '\ud800' }, 'body.state'],
    ['a parent with NUL', { state: '{}', parent_id: '\0' }, 'body.parent_id'],
    ['a parent that is too long', { state: '{}', parent_id: long }, 'body.parent_id'],
    ['a channel with NUL', { state: '{}', replayed_channels: ['a', '\0'] }, 'body.replayed_channels[1]'],
    ['metadata that is no object', { state: '{}', metadata: [] }, 'body.metadata'],
    ['a user of an erased one', { state: '{}', user_id: `pseudonym:${'0'.repeat(64)}` }, 'body.user_id'],
    ['a field that is unknown', { state: '{}', values: 1 }, 'body.values'],
  ])('refuses a checkpoint with %s, and names the field', async (_what, body, path) => {
    const thread = newThread();
    const answer = await graphs.put(thread, 'c1', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path }] } });
    expect((await graphs.get(thread)).status).toBe(404);
  });

  it.each<[string, (thread: string) => ReturnType<GraphClient['put']>, string]>([
    ['a thread id that is too long', () => graphs.put('x'.repeat(181), 'c1', { state: '' }), 'params.thread_id'],
    ['a checkpoint id that is too long', (thread) => graphs.put(thread, long, { state: '' }), 'params.checkpoint_id'],
    ['a NUL in a checkpoint id', (thread) => graphs.put(thread, '%00', { state: '' }), 'params.checkpoint_id'],
    [
      'a namespace that is too long',
      (thread) => graphs.put(thread, 'c1', { state: '' }, `?checkpoint_ns=${'n'.repeat(1_001)}`),
      'query.checkpoint_ns',
    ],
  ])('refuses %s', async (_what, send, path) => {
    expect(await send(newThread())).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it.each<[string, object, string]>([
    ['a channel with NUL', { writes: [writeOf(0, '', 'a\0')] }, 'body.writes[0].channel'],
    ['a value with a lone surrogate', { writes: [writeOf(0, '', 'a'), writeOf(1, '\udc00')] }, 'body.writes[1].value'],
    ['an index that is no integer', { writes: [writeOf(0.5, '')] }, 'body.writes[0].idx'],
    ['a path that is too long', { task_path: 'p'.repeat(1_001), writes: [] }, 'body.task_path'],
    ['too many', { writes: Array.from({ length: 1_001 }, (_, idx) => writeOf(idx, '')) }, 'body.writes'],
  ])('refuses writes with %s, and names the field', async (_what, body, path) => {
    const answer = await graphs.putWrites(newThread(), 'c1', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path }] } });
  });

  it('refuses states and writes that are too large, in bytes, with what can be done', async () => {
    const thread = newThread();
    const tooLarge = { status: 413, body: { code: 'checkpoint_too_large' } };
    const state = 'é'.repeat(MAX_BYTES / 2 + 1);
    const answer = await graphs.put(thread, 'c1', { state });
    expect(answer).toMatchObject(tooLarge);
    expect((answer.body as unknown as Problem).detail).toContain('ANNALS_CHECKPOINT_MAX_BYTES');
    const half = 'é'.repeat(MAX_BYTES / 4 + 1);
    expect(await graphs.putWrites(thread, 'c1', { writes: [writeOf(0, half), writeOf(1, half)] })).toMatchObject(
      tooLarge,
    );
    expect((await graphs.get(thread)).status).toBe(404);
    expect((await graphs.put(thread, 'c1', { state: state.slice(1) })).status).toBe(200);
    const version = (await graphs.get(thread)).body;
    const grown = `${version.state}!`;
    const asDelta = await graphs.putDelta(thread, 'c2', grown, version);
    expect(asDelta).toMatchObject({ status: 400, body: { errors: [{ path: 'body.delta.data' }] } });
  });

  it('refuses a delta to what is not the last state any more, or of a checkpoint that exists, and stores nothing', async () => {
    const thread = newThread();
    const conflict = { status: 409, body: { code: 'version_conflict' } };
    const { body: first } = await graphs.put(thread, 'c1', { state: 'one' });
    const { body: second } = await graphs.put(thread, 'c2', { state: 'two' });
    const stale = await graphs.putDelta(thread, 'c3', 'three', { ...first, state: 'one' });
    expect(stale).toMatchObject(conflict);
    expect((stale.body as unknown as Problem).detail).toContain('body.state');
    expect(await graphs.putDelta(thread, 'c2', 'three', { ...second, state: 'two' })).toMatchObject(conflict);
    expect(await graphs.putDelta('unknown', 'c1', 'three', { ...second, state: 'two' })).toMatchObject(conflict);
    expect(await graphs.find({ thread_id: thread })).toEqual(['c2', 'c1']);
    expect((await graphs.get(thread)).body).toMatchObject({ ...second, state: 'two' });
  });

  it('logs nothing of states, metadata, writes and refused values', async () => {
    const thread = newThread();
    await graphs.put(thread, 'c1', { state: CANARY, metadata: { [CANARY]: CANARY } });
    await graphs.put(thread, 'c1', { state: CANARY, metadata: CANARY, [CANARY]: 1 });
    await graphs.put(thread, 'c1', { delta: { base: CANARY, data: CANARY } });
    await graphs.putWrites(thread, 'c1', { writes: [writeOf(0, CANARY, CANARY)] });
    await graphs.putWrites(thread, 'c1', { writes: [writeOf(0.5, CANARY, `${CANARY}\0`)] });
    await graphs.search({ metadata: { [CANARY]: CANARY } });
    await graphs.history(thread, { checkpoint_id: 'c1', channels: [CANARY] });
    expect(gateway.log.length).toBeGreaterThan(0);
    expect(gateway.log.filter((line) => line.includes(CANARY))).toEqual([]);
  });
});
