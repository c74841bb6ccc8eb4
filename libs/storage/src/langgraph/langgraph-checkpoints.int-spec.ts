import type { LangGraphCheckpoint, LangGraphCheckpointSaved } from '@annals/contracts';
import { SeededRng } from '@annals/domain';
import { diffStates } from '@annals/state-delta';
import { sized, TEST_SEED } from '@annals/testing';
import { buildHead, creationOf, saveState, saveWrites } from '../fixtures/langgraph.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { type ModelCheckpoint, NamespaceModel } from './langgraph-model.fixture.js';
import { copyLangGraphThread, deleteLangGraphThreads } from './langgraph-threads.js';
import { pruneNamespace } from './prune-langgraph.js';
import { loadLangGraphCheckpoint, searchLangGraphCheckpoints } from './read-langgraph-checkpoints.js';
import { saveCheckpointDelta } from './save-langgraph-checkpoint.js';
import { parseVersion } from './version.js';

const STEPS = sized(500, 5_000);
const CHECKED_EVERY = 50;
const MAX_BYTES = 100_000;
/** A whole state and the deltas behind it. */
const MAX_CHAIN = 65;
const CHANNELS = ['messages', 'files'];
const TASK_PATHS = ['', '~a', 'B', 'é', '😀'];

describe('checkpoints of LangGraph', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const namespaceKeyOf = (version: string) => parseVersion(version)!.namespaceKey;

  async function saveDelta(
    threadId: string,
    { id, parentId, replayedChannels, metadata, state }: ModelCheckpoint,
    base: { readonly saved: LangGraphCheckpointSaved; readonly state: string },
  ): Promise<LangGraphCheckpointSaved | null> {
    const head = buildHead(fixture, { threadId, checkpointId: id, parentId, replayedChannels, metadata });
    const delta = diffStates(Buffer.from(base.state), Buffer.from(state));
    const sent = { base: parseVersion(base.saved.version)!, delta, maxBytes: MAX_BYTES };
    return saveCheckpointDelta(fixture.database, tenantId, head, sent);
  }

  async function readAll(threadId: string): Promise<LangGraphCheckpoint[]> {
    const found: LangGraphCheckpoint[] = [];
    let cursor: string | undefined;
    do {
      const page = await fixture.inTenant(tenantId, (tx) =>
        searchLangGraphCheckpoints(tx, { thread_id: threadId, limit: 37, cursor }),
      );
      found.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  async function expectStored(threads: ReadonlyMap<string, NamespaceModel>): Promise<void> {
    for (const [threadId, model] of threads) {
      const expected = model.list();
      const found = await readAll(threadId);
      expect(found.map(({ checkpoint_id: id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const [index, { id, parentId, metadata, state }] of expected.entries()) {
        const { writes, ...rest } = found[index]!;
        expect(rest.state === state).toBe(true);
        expect(rest).toMatchObject({ checkpoint_id: id, parent_id: parentId, metadata });
        expect(writes).toEqual(model.writesOf(id));
      }
      const load = (checkpointId?: string) =>
        fixture.inTenant(tenantId, (tx) =>
          loadLangGraphCheckpoint(tx, { threadId, checkpointNs: '', checkpointId, userId: undefined }),
        );
      expect(await load()).toEqual(found[0] ?? null);
      expect(await load('never')).toBeNull();
      const last = model.stored.at(-1);
      if (last && found[0]?.version === last.saved.version) expect(found[0].takes_delta).toBe(last.saved.takes_delta);
    }
    expect(await findFaults()).toEqual([]);
  }

  /** States that stand on too many or on missing ones, and rows that belong to nothing. */
  const findFaults = () =>
    fixture.queryAsSuperuser(
      `SELECT 'chain' AS fault, c.namespace_key, c.seq FROM langgraph_checkpoints c
        WHERE c.seq - c.whole_seq >= ${MAX_CHAIN} OR c.seq - c.whole_seq + 1 <> (
          SELECT count(*) FROM langgraph_checkpoints v
           WHERE v.tenant_id = c.tenant_id AND v.namespace_key = c.namespace_key AND v.seq BETWEEN c.whole_seq AND c.seq
             AND v.whole_seq = c.whole_seq)
       UNION ALL
       SELECT 'sums', n.namespace_key, n.seq FROM langgraph_namespaces n
        WHERE n.delta_bytes <> (SELECT coalesce(sum(octet_length(c.body)), 0) FROM langgraph_checkpoints c
                                 WHERE c.namespace_key = n.namespace_key AND c.seq > n.whole_seq)
       UNION ALL
       SELECT 'orphan', o.namespace_key, 0
         FROM (SELECT namespace_key FROM langgraph_checkpoints UNION SELECT namespace_key FROM langgraph_writes) o
        WHERE NOT EXISTS (SELECT FROM langgraph_namespaces n JOIN langgraph_threads t USING (tenant_id, thread_key)
                           WHERE n.namespace_key = o.namespace_key)`,
    );

  it(`are what a model without deltas has after any sequence of saves, writes, prunings and copies (${TEST_SEED})`, async () => {
    const rng = new SeededRng(TEST_SEED);
    const nat = (below: number) => Math.floor(rng.nextFloat() * below);
    const pick = <T>(items: readonly T[]): T => items[nat(items.length)]!;
    const threads = new Map([['t0', new NamespaceModel()]]);
    const done = { delta: 0, 'no delta': 0, stale: 0, whole: 0, replaced: 0, write: 0, prune: 0, copy: 0, delete: 0 };
    let ids = 0;
    const text = (length: number) =>
      Array.from({ length }, () => pick(['word ', 'é', '😀', `${nat(1e9)}`, '"', '\n', '\u0000'])).join('');
    const changeState = (state: string): string => {
      const cut = nat(state.length + 1);
      switch (nat(8)) {
        case 0:
          return text(nat(800));
        case 1:
          return (state.slice(0, cut) + state.slice(cut + 1 + nat(40))).toWellFormed();
        case 2:
          return (state.slice(cut) + state.slice(0, cut)).toWellFormed();
        case 3:
          return state;
        default:
          return (state.slice(0, cut) + text(1 + nat(6)) + state.slice(cut)).slice(0, 20_000).toWellFormed();
      }
    };
    const makeCheckpoint = (model: NamespaceModel, id?: string): ModelCheckpoint => {
      const own = id ?? `c${String(++ids).padStart(6, '0')}`;
      const before = [...model.checkpoints.keys()].filter((other) => other < own).slice(-3);
      return {
        id: own,
        parentId: before.length > 0 && nat(5) > 0 ? pick(before) : null,
        replayedChannels: CHANNELS.filter(() => nat(3) === 0),
        metadata: { step: nat(10), inner: { of: own } },
        state: changeState(model.stored.at(-1)?.state ?? ''),
        savedAt: fixture.clock.now(),
      };
    };
    const saveWhole = async (threadId: string, model: NamespaceModel, checkpoint: ModelCheckpoint) => {
      const { id: checkpointId, parentId, replayedChannels, metadata, state } = checkpoint;
      const head = { threadId, checkpointId, parentId, replayedChannels, metadata };
      model.save(checkpoint, (await saveState(fixture, tenantId, head, state))!);
    };

    for (let step = 1; step <= STEPS; step += 1) {
      fixture.clock.advance(1);
      const threadId = pick([...threads.keys()]);
      const model = threads.get(threadId)!;
      const known = [...model.checkpoints.keys()];
      const last = model.stored.at(-1);
      const kind = nat(100);
      if (kind < 60 && last) {
        const checkpoint = makeCheckpoint(model);
        const saved = await saveDelta(threadId, checkpoint, last);
        if (!last.saved.takes_delta) expect(saved).toBeNull();
        if (saved) model.save(checkpoint, saved);
        else await saveWhole(threadId, model, checkpoint);
        done[saved ? 'delta' : 'no delta'] += 1;
      } else if (kind < 65 && last && known.length > 0) {
        // Of an earlier state, and of an id that exists: the model has nothing of either.
        const stale = model.stored.at(-2 - nat(3));
        if (stale) expect(await saveDelta(threadId, makeCheckpoint(model), stale)).toBeNull();
        expect(await saveDelta(threadId, makeCheckpoint(model, pick(known)), last)).toBeNull();
        done.stale += 1;
      } else if (kind < 72 && known.length > 0) {
        await saveWhole(threadId, model, makeCheckpoint(model, pick(known)));
        done.replaced += 1;
      } else if (kind < 90) {
        const checkpointId = known.length > 0 && nat(4) > 0 ? pick(known) : `c${String(ids + 1).padStart(6, '0')}`;
        const task = { task_id: pick(['a', 'B', 'ä']), task_path: pick(TASK_PATHS) };
        const writes = [nat(3), -1 - nat(2), 7].map((idx) => {
          return { ...task, idx, channel: pick(CHANNELS), type: 'json', value: text(nat(600)) };
        });
        const { task_id: taskId, task_path: taskPath } = task;
        await saveWrites(fixture, tenantId, { threadId, checkpointId, taskId, taskPath, writes });
        model.write(checkpointId, writes);
        done.write += 1;
      } else if (kind < 94 && last) {
        const before = nat(2) === 0 ? null : fixture.clock.now() - nat(STEPS);
        const key = namespaceKeyOf(last.saved.version);
        const counts = await fixture.inTenant(tenantId, (tx) => pruneNamespace(tx, key, before));
        expect(counts).toEqual(model.prune(before));
        done.prune += 1;
      } else if (kind < 96 && threads.size < 5 && last) {
        const copy = { sourceId: threadId, targetId: `t${step}`, userId: undefined, ...creationOf(fixture) };
        const counts = await fixture.inTenant(tenantId, (tx) => copyLangGraphThread(tx, copy));
        expect(counts).toEqual({ checkpoints: known.length, writes: model.countWrites() });
        threads.set(copy.targetId, model.copy());
        done.copy += 1;
      } else if (kind < 97 && threads.size > 2) {
        const gone = { threadIds: [threadId], userId: undefined, now: fixture.clock.now() };
        const counts = await fixture.inTenant(tenantId, (tx) => deleteLangGraphThreads(tx, gone));
        expect(counts).toEqual({ checkpoints: known.length, writes: model.countWrites() });
        threads.delete(threadId);
        done.delete += 1;
      } else {
        await saveWhole(threadId, model, makeCheckpoint(model));
        done.whole += 1;
      }
      if (step % CHECKED_EVERY === 0) await expectStored(threads);
    }
    await expectStored(threads);
    // Nothing is passed because it never happened.
    for (const [name, times] of Object.entries(done)) expect([name, times > 0]).toEqual([name, true]);
  });

  it('stand on at most 64 deltas, however small these are', async () => {
    let base = { saved: (await saveState(fixture, tenantId, { checkpointId: 'c0000' }, 'x'))!, state: 'x' };
    const model = new NamespaceModel();
    let refused = 0;
    for (let count = 1; count <= 200; count += 1) {
      const id = `c${String(count).padStart(4, '0')}`;
      const state = `${base.state}${count % 10}`;
      const checkpoint = { id, parentId: null, replayedChannels: [], metadata: {}, state, savedAt: 0 };
      let saved = await saveDelta('thread', checkpoint, base);
      expect(saved !== null).toBe(base.saved.takes_delta);
      refused += saved ? 0 : 1;
      saved ??= (await saveState(fixture, tenantId, { checkpointId: id }, state))!;
      base = { saved, state };
      model.save(checkpoint, saved);
    }
    expect(refused).toBe(3);
    expect((await readAll('thread')).map(({ state }) => state)).toEqual([
      ...model.list().map(({ state }) => state),
      'x',
    ]);
    expect(await findFaults()).toEqual([]);
  });
});
