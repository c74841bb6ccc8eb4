import { compareWritesSortKeys, ERROR, INTERRUPT, TASKS, writesSortKey } from '@langchain/langgraph-checkpoint';
import { collect, idOf, idsOf, ThreadWriter, valuesOf } from '../fixtures/checkpoints.fixture.js';
import { startSavers, type Savers } from '../fixtures/savers.fixture.js';
import { AnnalsSaver } from '../index.js';

describe('AnnalsSaver', () => {
  let savers: Savers;
  let key: string;
  let saver: AnnalsSaver;
  let threads = 0;
  beforeAll(async () => {
    savers = await startSavers();
    key = await savers.createTenant();
  });
  afterAll(() => savers?.close());
  beforeEach(() => {
    saver = savers.saverOf(key);
  });

  const startThread = (ns = '', configurable: Record<string, unknown> = {}) =>
    new ThreadWriter(saver, `thread-${++threads}`, ns, configurable);
  const configOf = (threadId: string, ns = '') => ({ configurable: { thread_id: threadId, checkpoint_ns: ns } });

  describe('values of channels', () => {
    it('keeps what each of two branches wrote under the same version', async () => {
      const thread = startThread();
      const root = await thread.put({ values: { topic: 'trees' }, versions: { topic: 1 } });
      const oak = await thread.put({ values: { topic: 'oaks' }, versions: { topic: 2 } }, root);
      const elm = await thread.put({ values: { topic: 'elms' }, versions: { topic: 2 } }, root);
      const fresh = savers.saverOf(key);
      expect([await valuesOf(fresh, oak), await valuesOf(fresh, elm)]).toEqual([{ topic: 'oaks' }, { topic: 'elms' }]);
      expect(await valuesOf(fresh, configOf(thread.threadId))).toEqual({ topic: 'elms' });
    });

    it('takes a value that is not new from the parent, also behind a fork and in another process', async () => {
      const thread = startThread();
      const root = await thread.put({ values: { a: 'first', b: 1 } });
      await thread.put({ values: { a: 'second', b: 1 }, versions: { a: 2, b: 1 }, newVersions: { a: 2 } });
      const elsewhere = new ThreadWriter(savers.saverOf(key), thread.threadId);
      const fork = await elsewhere.put({ values: { b: 3 }, versions: { a: 1, b: 3 }, newVersions: { b: 3 } }, root);
      expect(await valuesOf(savers.saverOf(key), fork)).toEqual({ a: 'first', b: 3 });
    });

    it('stores a copy of a checkpoint whole, although nothing of it is new', async () => {
      const thread = startThread();
      const values = { a: 'first' };
      await thread.put({ values });
      const copy = await thread.put(
        { values, versions: { a: 1 }, newVersions: {}, metadata: { source: 'fork' } },
        configOf(thread.threadId),
      );
      expect(await valuesOf(savers.saverOf(key), copy)).toEqual(values);
    });

    it('preserves bytes, undefined, sets, dates as text and characters of any kind', async () => {
      const values = {
        bytes: new Uint8Array([0, 255, 128]),
        nested: { bytes: new Uint8Array([1]), set: new Set([1]), none: undefined, map: new Map([['a', { b: 1 }]]) },
        text: 'NUL \0, a lone \ud800 surrogate, \u2028, "quotes" and \\ — 🦉',
        ['__proto__']: 'own',
        empty: '',
        large: 'x'.repeat(200_000),
      };
      const thread = startThread();
      const config = await thread.put({ values });
      await saver.putWrites(config, Object.entries(values), 'task');
      const tuple = (await savers.saverOf(key).getTuple(config))!;
      expect(tuple.checkpoint.channel_values).toEqual(values);
      expect(Object.hasOwn(tuple.checkpoint.channel_values, '__proto__')).toBe(true);
      expect(tuple.pendingWrites!.map(([, name, value]) => [name, value])).toEqual(Object.entries(values));
    });

    it('reads every state of a long thread as it was, whatever was sent as a delta', async () => {
      const thread = startThread();
      const states: { config: Awaited<ReturnType<typeof thread.put>>; values: { messages: string[]; step: number } }[] =
        [];
      const messages: string[] = [];
      for (let step = 0; step < 90; step += 1) {
        messages.push(`message ${step}: ${'words '.repeat(40)}${step * 7_919}`);
        if (step % 20 === 19) messages.splice(0, 10);
        const values = { messages: [...messages], step };
        states.push({ config: await thread.put({ values }), values });
      }
      const fresh = savers.saverOf(key);
      for (const { config, values } of states) expect(await valuesOf(fresh, config)).toEqual(values);
      const listed = [];
      for await (const tuple of fresh.list(configOf(thread.threadId))) listed.push(tuple.checkpoint.channel_values);
      expect(listed).toEqual(states.map(({ values }) => values).toReversed());
    });
  });

  describe('two processes on one thread', () => {
    it('save in turn, although the other has saved since', async () => {
      const [first, second] = [startThread(), new ThreadWriter(savers.saverOf(key), `thread-${threads}`)];
      const saved = [];
      for (let round = 0; round < 4; round += 1) {
        for (const thread of [first, second])
          saved.push(await thread.put({ values: { round, text: 'a'.repeat(3_000) } }));
      }
      expect((await idsOf(saver, configOf(first.threadId))).toSorted()).toEqual(saved.map(idOf).toSorted());
      for (const [index, config] of saved.entries()) {
        expect(await valuesOf(saver, config)).toMatchObject({ round: Math.floor(index / 2) });
      }
    });

    it('save at the same time without a loss', async () => {
      const threadId = startThread().threadId;
      const writers = Array.from({ length: 6 }, () => new ThreadWriter(savers.saverOf(key), threadId));
      const saved = await Promise.all(
        writers.map((writer, n) => writer.put({ values: { n, text: 'b'.repeat(2_000) } })),
      );
      const values = await Promise.all(saved.map((config) => valuesOf(savers.saverOf(key), config)));
      expect(values).toMatchObject(writers.map((_, n) => ({ n })));
    });

    it('go on with a thread that was deleted and begun again', async () => {
      const thread = startThread();
      await thread.put({ values: { a: 'x'.repeat(5_000) } });
      await savers.saverOf(key).deleteThread(thread.threadId);
      const again = await new ThreadWriter(savers.saverOf(key), thread.threadId).put({ values: { a: 'other' } });
      const behind = await thread.put({ values: { a: `${'x'.repeat(5_000)}y` } }, again);
      expect(await valuesOf(savers.saverOf(key), behind)).toEqual({ a: `${'x'.repeat(5_000)}y` });
    });
  });

  it('saves what many threads of a process save at once with few requests', async () => {
    const annals = savers.clientOf(key);
    let requests = 0;
    const { checkpoints } = annals.langgraph;
    const save = checkpoints.save.bind(checkpoints);
    checkpoints.save = (batch) => {
      requests += 1;
      return save(batch);
    };
    saver = new AnnalsSaver(annals);
    const writers = Array.from({ length: 12 }, () => startThread());
    const values = (text: string) => ({ list: ['x'.repeat(3_000), text] });
    await Promise.all(writers.map((thread) => thread.put({ values: values('first') })));
    const saved = await Promise.all(
      writers.map(async (thread, n) => {
        const config = await thread.put({ values: values(`second ${n}`) });
        await saver.putWrites(config, [['list', n]], 'task');
        return config;
      }),
    );
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(writers.length);
    const fresh = savers.saverOf(key);
    for (const [n, config] of saved.entries()) {
      const tuple = (await fresh.getTuple(config))!;
      expect(tuple.checkpoint.channel_values).toEqual(values(`second ${n}`));
      expect(tuple.pendingWrites).toEqual([['task', 'list', n]]);
    }
  });

  describe('writes', () => {
    it('come back in the order of task path, task and index, by code point', async () => {
      const config = await startThread().put({ values: {} });
      const tasks = ['~b', '', '~a', '~𝄞', '~\ufffd', '~a, ~b'].flatMap((path, n) =>
        ['task-2', 'task-1', 'Task-3'].map((task) => [path, `${task}-${n}`] as const),
      );
      for (const [path, task] of tasks)
        await saver.putWrites(
          config,
          [
            ['x', 1],
            ['y', 2],
          ],
          task,
          path,
        );
      const expected = tasks
        .flatMap(([path, task]) => [0, 1].map((idx) => writesSortKey(path, task, idx)))
        .toSorted(compareWritesSortKeys)
        .map(([, task, idx]) => [task, idx === 0 ? 'x' : 'y']);
      const tuple = (await savers.saverOf(key).getTuple(config))!;
      expect(tuple.pendingWrites!.map(([task, channel]) => [task, channel])).toEqual(expected);
      const [listed] = await collect(saver.list(config));
      expect(listed!.pendingWrites).toEqual(tuple.pendingWrites);
    });

    it('stay as they were first saved, except errors and interrupts', async () => {
      const config = await startThread().put({ values: {} });
      await saver.putWrites(
        config,
        [
          ['x', 'first'],
          [INTERRUPT, 'ask'],
          [INTERRUPT, 'ask again'],
        ],
        'task',
      );
      await saver.putWrites(
        config,
        [
          ['x', 'second'],
          [INTERRUPT, 'asked'],
          [ERROR, 'failed'],
        ],
        'task',
      );
      const { pendingWrites } = (await saver.getTuple(config))!;
      expect(pendingWrites).toEqual([
        ['task', INTERRUPT, 'asked'],
        ['task', ERROR, 'failed'],
        ['task', 'x', 'first'],
      ]);
    });

    it('may come before their checkpoint, and before anything of their thread', async () => {
      const threadId = `thread-${++threads}`;
      const ahead = { configurable: { thread_id: threadId, checkpoint_ns: '', checkpoint_id: 'ahead' } };
      await saver.putWrites(ahead, [['x', 1]], 'task');
      expect(await saver.getTuple(ahead)).toBeUndefined();
      const checkpoint = {
        v: 4,
        id: 'ahead',
        ts: '',
        channel_values: {},
        channel_versions: {},
        versions_seen: {},
      };
      await saver.put(configOf(threadId), checkpoint, { source: 'loop', step: 0, parents: {} }, {});
      expect((await saver.getTuple(ahead))!.pendingWrites).toEqual([['task', 'x', 1]]);
    });

    it('of old checkpoints become a channel of sent tasks', async () => {
      const thread = startThread();
      const parent = await thread.put({ values: {}, v: 1 });
      await saver.putWrites(
        parent,
        [
          [TASKS, 'one'],
          ['x', 1],
        ],
        'task',
      );
      const child = await thread.put({ values: { x: 1 }, v: 3 });
      const { checkpoint } = (await savers.saverOf(key).getTuple(child))!;
      expect(checkpoint).toMatchObject({
        channel_values: { [TASKS]: ['one'], x: 1 },
        channel_versions: { [TASKS]: 2 },
      });
    });
  });

  it('saves a checkpoint once, however often it is put', async () => {
    const thread = startThread();
    const first = await thread.put({ values: { a: 1 } });
    const tuple = (await saver.getTuple(first))!;
    for (const value of [2, 3]) {
      const checkpoint = { ...tuple.checkpoint, channel_values: { a: value } };
      await saver.put(configOf(thread.threadId), checkpoint, tuple.metadata!, { a: 1 });
    }
    expect(await idsOf(saver, configOf(thread.threadId))).toEqual([idOf(first)]);
    expect(await valuesOf(savers.saverOf(key), first)).toEqual({ a: 3 });
    const next = await thread.put({ values: { a: 4 } }, first);
    expect(await valuesOf(savers.saverOf(key), next)).toEqual({ a: 4 });
  });

  it('does not share what it remembers with its caller', async () => {
    const thread = startThread();
    const config = await thread.put({ values: { list: [1] } });
    const { checkpoint } = (await saver.getTuple(config))!;
    checkpoint.channel_versions['list'] = 99;
    (checkpoint.channel_values['list'] as number[]).push(2);
    const child = await thread.put({ values: {}, versions: { list: 1 }, newVersions: {} });
    expect(await valuesOf(saver, child)).toEqual({ list: [1] });
  });

  it('stops a list as soon as its caller does, and reads it in pages', async () => {
    const thread = startThread();
    const saved: string[] = [];
    for (let step = 0; step < 25; step += 1) saved.push(idOf(await thread.put({ values: { step } })));
    const newestFirst = saved.toReversed();
    expect(await idsOf(saver, configOf(thread.threadId))).toEqual(newestFirst);
    const limited = await collect(saver.list(configOf(thread.threadId), { limit: 12 }));
    expect(limited.map(({ checkpoint }) => checkpoint.id)).toEqual(newestFirst.slice(0, 12));
    for await (const { checkpoint } of saver.list(configOf(thread.threadId))) {
      expect(checkpoint.id).toBe(newestFirst[0]);
      break;
    }
    expect(await collect(saver.list(configOf(thread.threadId), { limit: 0 }))).toEqual([]);
  });

  it('says what a configuration lacks', async () => {
    const checkpoint = { v: 4, id: 'x', ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} };
    const metadata = { source: 'loop' as const, step: 0, parents: {} };
    await expect(saver.put({}, checkpoint, metadata, {})).rejects.toThrow(/^put: the configuration names no thread\./);
    await expect(saver.putWrites(configOf('x'), [], 'task')).rejects.toThrow(/names no checkpoint/);
  });
});
