import { randomBytes } from 'node:crypto';
import type {
  ConsolidationAccepted,
  ConsolidationRun,
  ConsolidationUndone,
  Memory,
  MemoryWritten,
  MindRunPage,
} from '@annals/contracts';
import type { RunChange } from '@annals/domain';
import { applyRun, endMindRun, readSubjectOfUser, startMindRun } from '@annals/storage';
import type { QueryHits } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const RUNS = '/v1/consolidation/runs';
const [SHORT, LONG] = ['The user works at Siemens.', 'The user works at Siemens as a team lead.'];

describe('runs of consolidation over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let users = 0;
  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_MINDS: 'on' } });
    tenantId = await gateway.makeTenant('consolidation');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const nextUser = () => `user-${++users}`;
  async function remember(userId: string, content: string): Promise<Memory> {
    const body = { user_id: userId, category: 'profile', content, importance: 2 };
    return (await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body })).body.memory;
  }
  const query = async (userId: string) => {
    const body = { query: 'Where does the user work?', filters: { user_id: userId }, return: 'full' };
    const { body: answer } = await gateway.send<QueryHits>(key, 'POST', '/v1/memory/query', { body });
    return [...answer.core, ...answer.memories].map(({ id, content }) => [id, content] as const);
  };
  const get = (id: string, as = key) => gateway.send<ConsolidationRun>(as, 'GET', `${RUNS}/${id}`);
  const undo = (id: string, as = key) => gateway.send<ConsolidationUndone>(as, 'POST', `${RUNS}/${id}/undo`);

  /** A run with these changes, as the worker leaves it. */
  async function applyRunOf(
    userId: string,
    changes: readonly RunChange[],
    { isDryRun = false, state = 'done' }: { isDryRun?: boolean; state?: 'done' | 'deferred' | 'failed' } = {},
  ): Promise<string> {
    const { ids, clock } = gateway.infrastructure;
    const [id, now] = [ids.next(), clock.now()];
    await gateway.database.inTenant(tenantId, async (tx) => {
      const subjectId = (await readSubjectOfUser(tx, userId))!;
      await startMindRun(tx, {
        id,
        kind: 'consolidation',
        subjectId,
        userId,
        trigger: 'schedule',
        isDryRun,
        startedAt: now,
      });
      const run = { runId: id, userId, changes, refused: [], model: null, fingerprints: [] };
      await applyRun(tx, run, { clock, ids, randomBytes });
      await endMindRun(tx, { id, state, watermark: '1', counts: { merges: 1 }, endedAt: now });
    });
    return id;
  }
  const merge = (a: Memory, b: Memory): RunChange => ({
    kind: 'merge',
    parts: [
      { memoryId: a.id, revision: a.revision },
      { memoryId: b.id, revision: b.revision },
    ],
    content: LONG,
    kept: b.id,
    importance: 2,
    validFrom: Date.parse(a.valid_from),
    reason: 'words',
  });

  it('accepts a run, which waits in the queue under the id that was given, and reports it', async () => {
    const userId = nextUser();
    await remember(userId, SHORT);
    const body = { user_id: userId, dry_run: true };
    const accepted = await gateway.send<ConsolidationAccepted>(key, 'POST', RUNS, { body });
    expect(accepted).toMatchObject({ status: 202, body: { status_url: `${RUNS}/${accepted.body.run_id}` } });
    expect(await get(accepted.body.run_id)).toMatchObject({
      status: 200,
      body: { state: 'queued', trigger: 'manual', dry_run: true, user_id: userId, changes: [] },
    });
    const work = await gateway.database.readTenant(tenantId, (tx) =>
      tx.query<{ is_due: boolean }>(
        `SELECT w.available_at <= $2 AS is_due FROM work w JOIN users u ON u.subject_id = w.subject_id
          WHERE w.kind = 'consolidation' AND u.user_id = $1`,
        [userId, new Date(gateway.infrastructure.clock.now())],
      ),
    );
    expect(work).toEqual([{ is_due: true }]);
    const listed = await gateway.send<MindRunPage>(key, 'GET', `${RUNS}?user_id=${userId}`);
    expect(listed.body.items.map(({ id }) => id)).toEqual([accepted.body.run_id]);
  });

  it('names every change with its reason and no text, serves a merged memory once, and undoes the run as a whole', async () => {
    const userId = nextUser();
    const [a, b] = [await remember(userId, SHORT), await remember(userId, LONG)];
    const before = await query(userId);
    const id = await applyRunOf(userId, [merge(a, b)]);
    const { body: run } = await get(id);
    expect(run.changes).toMatchObject([
      { ordinal: 1, change: 'merge', state: 'written', reason: 'words', memory_ids: [a.id, b.id], left_reason: null },
    ]);
    expect(JSON.stringify(run)).not.toContain('Siemens');
    expect(await query(userId)).toEqual([[run.changes[0]!.result_id, LONG]]);
    expect(await undo(id)).toMatchObject({ status: 200, body: { run_id: id, undone: 1, left: {} } });
    expect(new Map(await query(userId))).toEqual(new Map(before));
    expect((await get(id)).body).toMatchObject({ state: 'undone', changes: [{ state: 'undone' }] });
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: 'run_not_undoable' } });
  });

  it.each(['deferred', 'failed'] as const)('undoes what a run wrote that is %s, and only then', async (state) => {
    const userId = nextUser();
    const [a, b] = [await remember(userId, SHORT), await remember(userId, LONG)];
    const before = await query(userId);
    const id = await applyRunOf(userId, [merge(a, b)], { state });
    expect(await query(userId)).not.toEqual(before);
    expect(await undo(id)).toMatchObject({ status: 200, body: { run_id: id, undone: 1, left: {} } });
    expect(new Map(await query(userId))).toEqual(new Map(before));
    expect((await get(id)).body).toMatchObject({ state: 'undone', changes: [{ state: 'undone' }] });
    const empty = await undo(await applyRunOf(userId, [], { state }));
    expect(empty).toMatchObject({ status: 409, body: { code: 'run_not_undoable' } });
    expect(empty.body).toMatchObject({ detail: expect.stringContaining('changed nothing') as unknown });
  });

  it('refuses what cannot be: an unknown user or run, a dry run to undo, an unknown field', async () => {
    const send = (body: object) => gateway.send(key, 'POST', RUNS, { body });
    expect(await send({ user_id: 'nobody' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await send({ user_id: 'ada', dry: true })).toMatchObject({ status: 400 });
    expect(await get(tenantId)).toMatchObject({ status: 404 });
    const detail = expect.stringContaining('undone for 90 days after their end') as unknown;
    expect(await undo(tenantId)).toMatchObject({ status: 404, body: { code: 'not_found', detail } });
    const userId = nextUser();
    await remember(userId, SHORT);
    expect(await undo(await applyRunOf(userId, [], { isDryRun: true }))).toMatchObject({
      status: 409,
      body: { code: 'run_not_undoable' },
    });
  });

  it('belongs to administrators of the tenant', async () => {
    const userId = nextUser();
    await remember(userId, SHORT);
    const id = await applyRunOf(userId, []);
    const reader = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    expect(await get(id, reader)).toMatchObject({ status: 403 });
    const other = await gateway.makeKey({ tenantId: await gateway.makeTenant('others') });
    expect(await get(id, other)).toMatchObject({ status: 404 });
    expect(await undo(id, other)).toMatchObject({ status: 404 });
    expect(await gateway.send(other, 'GET', RUNS)).toMatchObject({ body: { items: [] } });
  });
});

describe('with minds switched off', () => {
  it('accepts no run', async () => {
    const gateway = await startGateway();
    try {
      const key = await gateway.makeKey({ tenantId: await gateway.makeTenant('off') });
      const answer = await gateway.send(key, 'POST', RUNS, { body: { user_id: 'ada' } });
      expect(answer).toMatchObject({ status: 409, body: { code: 'minds_off' } });
      expect(answer.body.detail).toContain('ANNALS_MINDS');
    } finally {
      await gateway.close();
    }
  });
});
