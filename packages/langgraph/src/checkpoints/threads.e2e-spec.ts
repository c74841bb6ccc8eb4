import { NotFoundError } from '@annals/sdk';
import type { RunnableConfig } from '@langchain/core/runnables';
import { DeltaSnapshot, type CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { collect, idOf, idsOf, ThreadWriter, valuesOf } from '../fixtures/checkpoints.fixture.js';
import { startSavers, type Savers } from '../fixtures/savers.fixture.js';
import type { AnnalsSaver } from '../index.js';

describe('threads of AnnalsSaver', () => {
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

  const newId = () => `thread-${++threads}`;
  const configOf = (threadId: string, ns = '') => ({ configurable: { thread_id: threadId, checkpoint_ns: ns } });
  /** A thread of three checkpoints, with a write behind each. */
  const fill = async (threadId: string, ns = ''): Promise<RunnableConfig[]> => {
    const writer = new ThreadWriter(saver, threadId, ns);
    const saved: RunnableConfig[] = [];
    for (const step of [1, 2, 3]) {
      const config = await writer.put({ values: { step, text: 'x'.repeat(500) } });
      await saver.putWrites(config, [['step', step]], 'task');
      saved.push(config);
    }
    return saved;
  };
  const counters = (updates: number): Partial<CheckpointMetadata> => ({
    counters_since_delta_snapshot: { messages: [updates, updates] },
  });
  /** A snapshot of a delta channel, and three checkpoints behind it that have only writes. */
  const fillWithDeltas = async (threadId: string): Promise<RunnableConfig[]> => {
    const writer = new ThreadWriter(saver, threadId);
    const saved = [await writer.put({ values: { other: 0 } })];
    for (const step of [1, 2, 3, 4]) {
      const values = step === 1 ? { messages: new DeltaSnapshot(['one']) } : { other: step };
      const versions = { messages: step, other: step };
      saved.push(await writer.put({ values, versions, metadata: step === 1 ? {} : counters(step - 1) }));
      await saver.putWrites(saved.at(-1)!, [['messages', [`write ${step}`]]], 'task');
    }
    return saved;
  };

  describe('prune', () => {
    it('keeps the last checkpoint with its writes', async () => {
      const [threadId, other] = [newId(), newId()];
      const saved = await fill(threadId);
      const others = await fill(other);
      await saver.prune([threadId]);
      expect(await idsOf(saver, configOf(threadId))).toEqual([idOf(saved[2]!)]);
      const tuple = (await savers.saverOf(key).getTuple(configOf(threadId)))!;
      expect(tuple.checkpoint.channel_values).toEqual({ step: 3, text: 'x'.repeat(500) });
      expect(tuple.pendingWrites).toEqual([['task', 'step', 3]]);
      expect(await idsOf(saver, configOf(other))).toEqual(others.map(idOf).toReversed());
    });

    it('keeps the last one of each namespace of several threads', async () => {
      const ids = [newId(), newId()];
      for (const id of ids) for (const ns of ['', 'child']) await fill(id, ns);
      await saver.prune(ids, { strategy: 'keep_latest' });
      for (const id of ids) {
        for (const ns of ['', 'child']) expect(await idsOf(saver, configOf(id, ns))).toHaveLength(1);
        expect(await idsOf(saver, { configurable: { thread_id: id } })).toHaveLength(2);
      }
    });

    it('deletes threads, and passes over those that there are not', async () => {
      const [threadId, other] = [newId(), newId()];
      await fill(threadId);
      await fill(other);
      await saver.prune([threadId, 'unknown'], { strategy: 'delete' });
      expect(await saver.getTuple(configOf(threadId))).toBeUndefined();
      expect(await idsOf(saver, configOf(other))).toHaveLength(3);
      await saver.prune([]);
      await saver.prune(['unknown']);
      expect(await idsOf(saver, configOf(other))).toHaveLength(3);
    });

    it('goes on with what it has pruned, also from a process that remembers more', async () => {
      const threadId = newId();
      const writer = new ThreadWriter(saver, threadId);
      for (const step of [1, 2, 3]) await writer.put({ values: { step, text: 'x'.repeat(5_000) } });
      await savers.saverOf(key).prune([threadId]);
      const next = await writer.put({ values: { step: 4, text: 'x'.repeat(5_001) } });
      expect(await valuesOf(savers.saverOf(key), next)).toEqual({ step: 4, text: 'x'.repeat(5_001) });
      expect(await idsOf(saver, configOf(threadId))).toHaveLength(2);
    });

    it('follows a checkpoint that is its own parent once', async () => {
      const threadId = newId();
      const at = { configurable: { thread_id: threadId, checkpoint_ns: '', checkpoint_id: 'self' } };
      const checkpoint = { v: 4, id: 'self', ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} };
      await saver.put(at, checkpoint, { source: 'loop', step: 0, parents: {}, ...counters(1) }, {});
      await saver.putWrites(at, [['messages', 'x']], 'task');
      const history = await saver.getDeltaChannelHistory({ config: at, channels: ['messages'] });
      expect(history['messages']!.writes[0]).toEqual(['task', 'messages', 'x']);
      await saver.prune([threadId]);
      expect(await idsOf(saver, configOf(threadId))).toEqual(['self']);
    });

    it('keeps the ancestors that a delta channel of the last checkpoint is made from', async () => {
      const threadId = newId();
      const saved = await fillWithDeltas(threadId);
      const before = await saver.getDeltaChannelHistory({ config: saved[4]!, channels: ['messages'] });
      expect(before['messages']).toEqual({
        seed: new DeltaSnapshot(['one']),
        writes: [1, 2, 3].map((step) => ['task', 'messages', [`write ${step}`]]),
      });
      await saver.prune([threadId]);
      expect(await idsOf(saver, configOf(threadId))).toEqual(saved.slice(1).map(idOf).toReversed());
      const fresh = savers.saverOf(key);
      expect(await fresh.getDeltaChannelHistory({ config: saved[4]!, channels: ['messages'] })).toEqual(before);
    });
  });

  describe('copyThread', () => {
    it('copies checkpoints of all namespaces with their writes, and the history of delta channels', async () => {
      const [source, target] = [newId(), newId()];
      const saved = await fillWithDeltas(source);
      await fill(source, 'child');
      await saver.copyThread(source, target);
      const [copied, original] = await Promise.all(
        [target, source].map((id) => collect(savers.saverOf(key).list({ configurable: { thread_id: id } }))),
      );
      const withoutThread = (tuples: typeof copied) => JSON.parse(JSON.stringify(tuples).replaceAll(target, source));
      expect(copied).toHaveLength(8);
      expect(withoutThread(copied)).toEqual(withoutThread(original));
      const at = (id: string) => ({ configurable: { ...saved[4]!.configurable, thread_id: id } });
      const histories = await Promise.all(
        [source, target].map((id) => saver.getDeltaChannelHistory({ config: at(id), channels: ['messages', 'none'] })),
      );
      expect(histories[1]).toEqual(histories[0]);
    });

    it('leaves both threads independent', async () => {
      const [source, target] = [newId(), newId()];
      const saved = await fill(source);
      await saver.copyThread(source, target);
      await saver.deleteThread(source);
      const config = { configurable: { ...saved[2]!.configurable, thread_id: target } };
      const next = await new ThreadWriter(saver, target).put({ values: { step: 4 } }, config);
      expect(await valuesOf(savers.saverOf(key), next)).toEqual({ step: 4 });
      expect(await saver.getTuple(configOf(source))).toBeUndefined();
    });

    it('refuses a thread that there is not, and a target that there is', async () => {
      const [source, target] = [newId(), newId()];
      await fill(source);
      await fill(target);
      await expect(saver.copyThread('unknown', newId())).rejects.toThrow(NotFoundError);
      await expect(saver.copyThread(source, target)).rejects.toMatchObject({ code: 'thread_exists' });
    });
  });

  describe('the user of a thread', () => {
    const ownerOf = async (threadId: string) => {
      for await (const thread of savers.clientOf(key).langgraph.threads.list()) {
        if (thread.thread_id === threadId) return thread.user_id;
      }
      return undefined;
    };

    it('is configurable.user_id, an option, or one of its own', async () => {
      const [byConfig, byOption, own] = [newId(), newId(), newId()];
      await new ThreadWriter(saver, byConfig, '', { user_id: 'ada' }).put({ values: {} });
      await new ThreadWriter(savers.saverOf(key, { user: () => 'bob' }), byOption).put({ values: {} });
      await new ThreadWriter(saver, own).put({ values: {} });
      expect([await ownerOf(byConfig), await ownerOf(byOption), await ownerOf(own)]).toEqual([
        'ada',
        'bob',
        `langgraph:${own}`,
      ]);
    });

    it('is found without being named again, and can be named later', async () => {
      const threadId = newId();
      const thread = new ThreadWriter(saver, threadId);
      await thread.put({ values: { a: 1 } });
      await new ThreadWriter(saver, threadId, '', { user_id: 'cleo' }).put({ values: { a: 2 } });
      expect(await ownerOf(threadId)).toBe('cleo');
      const last = await thread.put({ values: { a: 3 } });
      expect(await valuesOf(saver, last)).toEqual({ a: 3 });
    });

    it('is not taken over by another user', async () => {
      const threadId = newId();
      await new ThreadWriter(saver, threadId, '', { user_id: 'dora' }).put({ values: { a: 1 } });
      const stranger = new ThreadWriter(saver, threadId, '', { user_id: 'emil' });
      await expect(stranger.put({ values: { a: 2 } })).rejects.toMatchObject({ code: 'thread_of_other_user' });
      expect(await valuesOf(saver, configOf(threadId))).toEqual({ a: 1 });
    });

    it('takes the thread along when erased', async () => {
      const [threadId, kept] = [newId(), newId()];
      await new ThreadWriter(saver, threadId, '', { user_id: 'fred' }).put({ values: { a: 1 } });
      await new ThreadWriter(saver, kept).put({ values: { a: 1 } });
      await savers.clientOf(key).users.erase('fred');
      expect(await saver.getTuple(configOf(threadId))).toBeUndefined();
      expect(await valuesOf(saver, configOf(kept))).toEqual({ a: 1 });
      await savers.clientOf(key).users.erase(`langgraph:${kept}`);
      expect(await saver.getTuple(configOf(kept))).toBeUndefined();
    });
  });

  it('are those of the tenant of the key alone', async () => {
    const threadId = newId();
    await fill(threadId);
    const stranger = await savers.createSaver();
    expect(await stranger.getTuple(configOf(threadId))).toBeUndefined();
    expect(await idsOf(stranger, {})).toEqual([]);
    await stranger.deleteThread(threadId);
    await new ThreadWriter(stranger, threadId).put({ values: { mine: true } });
    expect(await idsOf(saver, configOf(threadId))).toHaveLength(3);
  });
});
