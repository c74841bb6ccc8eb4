import { loadLangGraphCheckpoint, saveCheckpointState, saveLangGraphWrites } from '@annals/storage';
import { createLangGraphJob } from './jobs/retention-jobs.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_MS = 7 * DAY_MS;
const LONG = 'What every state of a graph has. '.repeat(100);

describe('the job that deletes old checkpoints of LangGraph', () => {
  let fixture: MaintenanceFixture;
  beforeEach(async () => {
    fixture = await MaintenanceFixture.open();
  });
  afterEach(() => fixture.close());

  const nameOf = (threadId: string) => ({ threadId, checkpointNs: '', userId: undefined });
  const creation = () => ({ now: fixture.clock.now(), ids: fixture.ids, mayClaim: true });
  /** With a write behind it. */
  async function save(tenantId: string, threadId: string, n: number, replayedChannels: string[] = []): Promise<void> {
    const place = { ...nameOf(threadId), checkpointId: `c${n}` };
    const parentId = n === 1 ? null : `c${n - 1}`;
    const head = { ...place, parentId, metadata: {}, replayedChannels, now: fixture.clock.now() };
    const state = Buffer.from(`${LONG}${n}`);
    await fixture.database.inTenant(tenantId, (tx) => saveCheckpointState(tx, head, state, creation()));
    const writes = [{ idx: 0, channel: 'messages', type: 'json', value: String(n) }];
    const task = { ...place, taskId: 'task', taskPath: '', writes };
    await saveLangGraphWrites(fixture.database, tenantId, task, creation());
  }
  /** Ids of the checkpoints that are left, which are as they were saved. */
  async function list(tenantId: string, threadId: string, count: number): Promise<string[]> {
    const found: string[] = [];
    for (let n = 1; n <= count; n += 1) {
      const loaded = await fixture.database.readTenant(tenantId, (tx) =>
        loadLangGraphCheckpoint(tx, { ...nameOf(threadId), checkpointId: `c${n}` }),
      );
      if (!loaded) continue;
      expect(loaded.state === `${LONG}${n}`).toBe(true);
      expect(loaded.writes.map(({ value }) => value)).toEqual([String(n)]);
      found.push(`c${n}`);
    }
    return found;
  }
  const countWrites = async (tenantId: string) => {
    const [row] = await fixture.query<{ writes: number }>(
      tenantId,
      'SELECT count(*)::integer AS writes FROM langgraph_writes',
    );
    return row!.writes;
  };

  it('keeps the newest of each thread, younger ones and those that a replayed channel needs', async () => {
    const runner = fixture.addRunner();
    runner.add(createLangGraphJob({ keepMs: KEPT_MS }));
    const [one, two] = [await fixture.addTenant('one'), await fixture.addTenant('two')];
    for (let n = 1; n <= 6; n += 1) {
      await save(one, 'plain', n);
      await save(two, 'replayed', n, n >= 4 ? ['messages'] : []);
      fixture.clock.advance(DAY_MS);
    }
    await save(one, 'single', 1);
    await runner.runDue();
    expect(await list(one, 'plain', 6)).toHaveLength(6);
    // c1 to c3 are too old.
    fixture.clock.advance(4 * DAY_MS);
    await runner.runDue();
    expect(await list(one, 'plain', 6)).toEqual(['c4', 'c5', 'c6']);
    // c3 holds the value from which the channel of c4 is made again.
    expect(await list(two, 'replayed', 6)).toEqual(['c3', 'c4', 'c5', 'c6']);
    expect([await countWrites(one), await countWrites(two)]).toEqual([4, 4]);
    fixture.clock.advance(100 * DAY_MS);
    await runner.runDue();
    expect([await list(one, 'plain', 6), await list(one, 'single', 1)]).toEqual([['c6'], ['c1']]);
    expect(await list(two, 'replayed', 6)).toEqual(['c3', 'c4', 'c5', 'c6']);
    expect(await fixture.count('memory_llm_maintenance_done_total', 'task="langgraph_checkpoints"')).toBe(7);
    await save(one, 'plain', 7);
    expect(await list(one, 'plain', 7)).toEqual(['c6', 'c7']);
  });

  it('goes on behind the last thread that it looked at when its time is used up, and past what it cannot read', async () => {
    const tenant = await fixture.addTenant('many');
    // More than one window has.
    const threads = Array.from({ length: 210 }, (_, n) => `thread ${n}`);
    for (const thread of threads) for (const n of [1, 2]) await save(tenant, thread, n);
    const [broken, ...rest] = await fixture.query<{ namespace_key: string }>(
      tenant,
      'SELECT namespace_key FROM langgraph_namespaces ORDER BY namespace_key',
    );
    await fixture.database.inTenant(tenant, (tx) =>
      tx.execute(`UPDATE langgraph_checkpoints SET body = '\\x09' WHERE namespace_key = $1 AND seq = 1`, [
        broken!.namespace_key,
      ]),
    );
    fixture.clock.advance(2 * KEPT_MS);
    const job = createLangGraphJob({ keepMs: KEPT_MS });
    const { database, clock } = fixture;
    const { signal } = new AbortController();
    let cursor: Awaited<ReturnType<typeof job.run>>['cursor'] = null;
    let [runs, done] = [0, 0];
    const problems: unknown[] = [];
    do {
      const stopped = await job.run({ database, clock, signal, cursor, budgetMs: 0 });
      [runs, done, cursor] = [runs + 1, done + stopped.done, stopped.cursor];
      if (stopped.problem !== undefined) problems.push(stopped.problem);
    } while (cursor !== null);
    expect(runs).toBeGreaterThan(1);
    expect(done).toBe(rest.length);
    expect(problems).toHaveLength(1);
    expect(await countWrites(tenant)).toBe(rest.length + 2);
  });
});
