import { diffStates } from '@annals/state-delta';
import { buildHead, saveState, saveWrites } from '../fixtures/langgraph.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { loadLangGraphCheckpoint, searchLangGraphCheckpoints } from './read-langgraph-checkpoints.js';
import { type CheckpointHead, saveCheckpointDelta } from './save-langgraph-checkpoint.js';
import { type NamedVersion, parseVersion } from './version.js';

const MAX_BYTES = 10_000;
const STATE = 'The state of a graph. '.repeat(200);

/** Numbers as deltas have them (LEB128). */
function encode(...numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (let rest of numbers) {
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}
const copyRun = (length: number, offset: number) => encode(length * 2 + 1, offset);

describe('a delta to the last state of a namespace', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let threads = 0;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const newThread = () => `thread-${++threads}`;
  const saveDelta = (head: Partial<CheckpointHead>, base: NamedVersion, delta: Buffer) =>
    saveCheckpointDelta(fixture.database, tenantId, buildHead(fixture, head), { base, delta, maxBytes: MAX_BYTES });
  const readAll = (threadId: string) =>
    fixture.inTenant(tenantId, (tx) => searchLangGraphCheckpoints(tx, { thread_id: threadId, limit: 100 }));
  const takeSnapshot = async () => ({
    namespaces: await fixture.queryAsSuperuser('SELECT n::text FROM langgraph_namespaces n ORDER BY 1'),
    checkpoints: await fixture.queryAsSuperuser('SELECT md5(c::text) FROM langgraph_checkpoints c ORDER BY 1'),
    users: await fixture.queryAsSuperuser('SELECT u::text FROM users u ORDER BY 1'),
  });
  const begin = async (head: Partial<CheckpointHead>) =>
    parseVersion((await saveState(fixture, tenantId, head, STATE))!.version)!;

  const END = STATE.length;
  it.each<[string, Buffer]>([
    ['ends within an inserted run', Buffer.concat([encode(20), Buffer.from('short')])],
    ['ends within a number', Buffer.from([0x80])],
    ['ends before an offset', encode(21)],
    ['copies beyond the end', copyRun(10, END - 9)],
    ['copies behind the end', copyRun(1, END)],
    ['copies more than there is', copyRun(END + 1, 0)],
    ['copies from far away', copyRun(1, 2 ** 40)],
    ['copies a huge run', copyRun(2 ** 41, 0)],
    ['has a number that is too large', Buffer.concat([Buffer.alloc(20, 0xff), Buffer.from([1])])],
    ['has an offset that is too large', Buffer.concat([encode(3), Buffer.alloc(20, 0xff), Buffer.from([1])])],
    ['has too many runs', Buffer.concat(Array.from({ length: 1_001 }, () => copyRun(1, 0)))],
    ['has too many empty runs', Buffer.alloc(1_001)],
    ['makes a state that is too large', Buffer.concat(Array.from({ length: 3 }, () => copyRun(END, 0)))],
    ['inserts too much', Buffer.concat([encode((MAX_BYTES + 1) * 2), Buffer.alloc(MAX_BYTES + 1)])],
  ])('is refused when it %s, and nothing is stored', async (_what, delta) => {
    const threadId = newThread();
    const base = await begin({ threadId });
    const before = await takeSnapshot();
    await expect(saveDelta({ threadId, checkpointId: 'c2' }, base, delta)).rejects.toThrow(RangeError);
    expect(await takeSnapshot()).toEqual(before);
    expect((await readAll(threadId)).items).toMatchObject([{ checkpoint_id: 'c1', state: STATE }]);
  });

  it('may have as many runs and make as large a state as is allowed, also none at all', async () => {
    const threadId = newThread();
    const base = await begin({ threadId });
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => copyRun(10, 0)));
    const saved = await saveDelta({ threadId, checkpointId: 'c2' }, base, many);
    const empty = await saveDelta({ threadId, checkpointId: 'c3' }, parseVersion(saved!.version)!, Buffer.alloc(0));
    expect(empty).not.toBeNull();
    const { items } = await readAll(threadId);
    expect(items.map(({ state }) => state)).toEqual(['', STATE.slice(0, 10).repeat(1_000), STATE]);
  });

  it('is not stored on another base: an earlier one, one of another length, thread, namespace, user or tenant', async () => {
    const [threadId, other] = [newThread(), newThread()];
    const base = await begin({ threadId, userId: 'ada' });
    const later = await begin({ threadId, userId: 'ada', checkpointId: 'c2' });
    const elsewhere = await begin({ threadId: other, userId: 'ada' });
    const inside = await begin({ threadId, userId: 'ada', checkpointNs: 'sub' });
    const stranger = await fixture.addTenant();
    const delta = copyRun(END, 0);
    const before = await takeSnapshot();
    const refused = await Promise.all([
      ...[base, elsewhere, inside, { ...later, bytes: 999_999_999 }, { ...later, seq: later.seq + 1 }].map((wrong) =>
        saveDelta({ threadId, checkpointId: 'c3' }, wrong, delta),
      ),
      saveDelta({ threadId, checkpointId: 'c3', userId: 'bob' }, later, delta),
      saveDelta({ threadId: other, checkpointId: 'c3' }, later, delta),
      saveDelta({ threadId, checkpointId: 'c3', checkpointNs: 'sub' }, later, delta),
      // Of a checkpoint that exists.
      saveDelta({ threadId, checkpointId: 'c1' }, later, delta),
      saveCheckpointDelta(fixture.database, stranger, buildHead(fixture, { threadId, checkpointId: 'c3' }), {
        base: later,
        delta,
        maxBytes: MAX_BYTES,
      }),
    ]);
    expect(refused).toEqual(refused.map(() => null));
    expect(await takeSnapshot()).toEqual(before);
    expect(await saveDelta({ threadId, checkpointId: 'c3', userId: 'ada' }, later, delta)).not.toBeNull();
  });

  it('wins alone among many at once, and the states that come whole are all kept', async () => {
    const threadId = newThread();
    const base = await begin({ threadId });
    const states = Array.from({ length: 12 }, (_, n) => `${STATE}${n}`);
    const [deltas, whole] = await Promise.all([
      Promise.all(
        states.map((state, n) =>
          saveDelta({ threadId, checkpointId: `d${n}` }, base, diffStates(Buffer.from(STATE), Buffer.from(state))),
        ),
      ),
      Promise.all(states.map((state, n) => saveState(fixture, tenantId, { threadId, checkpointId: `w${n}` }, state))),
    ]);
    const won = deltas.flatMap((saved, n) => (saved ? [n] : []));
    expect(won.length).toBeLessThanOrEqual(1);
    expect(whole).not.toContain(null);
    expect(new Set(whole.map((saved) => saved!.version)).size).toBe(states.length);
    const expected = { c1: STATE, ...Object.fromEntries(won.map((n) => [`d${n}`, states[n]!])) };
    const { items } = await readAll(threadId);
    expect(Object.fromEntries(items.map(({ checkpoint_id: id, state }) => [id, state]))).toEqual({
      ...expected,
      ...Object.fromEntries(states.map((state, n) => [`w${n}`, state])),
    });
  });

  it('loses nothing when a thread is begun by many at once, with states and writes', async () => {
    const threadId = newThread();
    const numbers = Array.from({ length: 10 }, (_, n) => n);
    const results = await Promise.all(
      numbers.flatMap((n): Promise<unknown>[] => [
        saveState(fixture, tenantId, { threadId, checkpointId: `c${n}` }, `${STATE}${n}`),
        saveWrites(fixture, tenantId, {
          threadId,
          checkpointId: `c${n}`,
          taskId: `task ${n}`,
          writes: [{ idx: 0, channel: 'c', type: 'json', value: String(n) }],
        }),
      ]),
    );
    expect(results).not.toContain(null);
    const { items } = await readAll(threadId);
    expect(items.map(({ state, writes }) => [state, writes.map(({ value }) => value)])).toEqual(
      numbers.toReversed().map((n) => [`${STATE}${n}`, [String(n)]]),
    );
    const owners = await fixture.queryAsSuperuser('SELECT user_id FROM langgraph_threads WHERE thread_id = $1', [
      threadId,
    ]);
    expect(owners).toEqual([{ user_id: `langgraph:${threadId}` }]);
  });

  it('begins a thread for one of several users who name it at once, and tells the others', async () => {
    for (const isKnown of [false, true]) {
      const threadId = newThread();
      if (isKnown) await begin({ threadId, checkpointId: 'a' });
      const users = ['ann', 'bea', 'cid', 'dan'];
      const saved = await Promise.all(
        users.map((userId) => saveState(fixture, tenantId, { threadId, userId, checkpointId: userId }, userId)),
      );
      const owner = users.filter((_, index) => saved[index] !== null);
      expect(owner).toHaveLength(1);
      const { items } = await readAll(threadId);
      expect(items.map(({ state }) => state)).toEqual(isKnown ? [owner[0], STATE] : owner);
      const load = (userId: string) =>
        fixture.inTenant(tenantId, (tx) =>
          loadLangGraphCheckpoint(tx, { threadId, checkpointNs: '', checkpointId: undefined, userId }),
        );
      expect(await Promise.all(users.map(async (user) => (await load(user))?.state))).toEqual(
        users.map((user) => (user === owner[0] ? user : undefined)),
      );
    }
  });
});
