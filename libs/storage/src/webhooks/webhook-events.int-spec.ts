import { randomBytes } from 'node:crypto';
import { GLOBAL_OWNER } from '@annals/contracts';
import { failBatch } from '../batches/fail-and-replay.js';
import { fireBudgetAlert } from '../budgets/budgets.js';
import { addWebhook, FeedSenders, readDeliveries } from '../fixtures/webhook.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { forgetMemories } from '../forgetting/forget-memories.js';
import { writeMemories } from '../memories/write-memories.js';
import { endMindRun, startMindRun } from '../minds/mind-runs.js';
import { eraseUser } from '../privacy/erase-user.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { deleteTenant } from '../tenants/tenants.js';
import { purgeWebhookDeliveries } from './deliveries.js';
import { deleteWebhook, testWebhook } from './webhooks.js';

const KEY = Buffer.alloc(32, 3);
const WORD = 'quixotrium';

describe('events of webhooks', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenantId: string;

  beforeAll(async () => {
    ({ fixture } = await RecallFixture.open());
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
  });
  afterAll(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const erase = (userId: string) =>
    fixture.inTenant(tenantId, (tx) => eraseUser(tx, { userId, actor: 'test', key: KEY }, dependencies()));
  const typesOf = async (owner: string) =>
    (await readDeliveries(fixture, tenantId)).filter((row) => row.owner === owner).map(({ type }) => type);

  it('are noted for endpoints alone: a tenant without one stores nothing', async () => {
    await recall.remember('ada', 'Ada drinks tea.');
    expect(await readDeliveries(fixture, tenantId)).toEqual([]);
    expect(await fixture.queryAsSuperuser('SELECT FROM webhook_feeds WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });

  it('name each change of a memory by its ids and its revision, without its words', async () => {
    await addWebhook(fixture, tenantId);
    const [id] = await recall.remember('ada', `Ada drinks ${WORD} tea.`);
    await recall.write('ada', { kind: 'edit', memoryId: id!, patch: { pinned: true } });
    await recall.write('ada', { kind: 'delete', memoryId: id!, by: 'user' });
    await recall.write('ada', { kind: 'restore', memoryId: id! });
    await fixture.inTenant(tenantId, (tx) => forgetMemories(tx, { memoryIds: [id!], actor: 'test' }, dependencies()));
    const rows = await readDeliveries(fixture, tenantId);
    expect(rows.map(({ seq, type, owner, memory_id: memoryId }) => [Number(seq), type, owner, memoryId])).toEqual([
      [1, 'memory.created', 'ada', id],
      [2, 'memory.updated', 'ada', id],
      [3, 'memory.deleted', 'ada', id],
      [4, 'memory.restored', 'ada', id],
      [5, 'memory.deleted', 'ada', id],
      [6, 'memory.forgotten', 'ada', id],
    ]);
    expect(rows.slice(0, 4).map(({ data }) => data)).toEqual(
      [1, 2, 3, 4].map((revision) => ({ memory_id: id, revision })),
    );
    expect(JSON.stringify(rows)).not.toContain(WORD);
    const history = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT id FROM history WHERE tenant_id = $1 ORDER BY seq',
      [tenantId],
    );
    expect(rows.map(({ event_id: eventId }) => eventId)).toEqual(history.map((row) => row.id));
  });

  it('name what a memory was superseded by', async () => {
    await addWebhook(fixture, tenantId);
    const [old] = await recall.remember('ada', 'Ada lives in Berlin.');
    const [successor] = await recall.write('ada', {
      kind: 'supersede',
      memoryId: old!,
      memory: recall.memory('Ada lives in Munich.'),
    });
    const rows = (await readDeliveries(fixture, tenantId)).slice(1);
    expect(rows.map(({ type, data }) => [type, data['memory_id']])).toEqual(
      expect.arrayContaining([
        ['memory.superseded', old],
        ['memory.created', successor],
      ]),
    );
    expect(rows.find(({ type }) => type === 'memory.superseded')!.data).toMatchObject({ successor_id: successor });
  });

  it('say of what is told late that it is over, and what holds already', async () => {
    await addWebhook(fixture, tenantId);
    const from = (day: number) => ({ category: 'profile', validFrom: Date.UTC(2025, 0, day) });
    const [current] = await recall.write('ada', recall.observe('The user moved to Munich.', from(20)));
    const [late] = await recall.write('ada', recall.observe('The user is living in Hamburg.', from(10)));
    const rows = await readDeliveries(fixture, tenantId);
    expect(rows.at(-1)).toMatchObject({
      type: 'memory.created',
      data: { memory_id: late, successor_id: current, ended: true },
    });
    expect(rows[0]!.data).not.toHaveProperty('ended');
  });

  it('tell of a conversation that is deleted', async () => {
    await addWebhook(fixture, tenantId);
    await recall.postTurns('ada', 'thread', 'I drink tea.');
    const [row] = await fixture.queryAsSuperuser<{ id: string }>('SELECT id FROM conversations WHERE tenant_id = $1', [
      tenantId,
    ]);
    const command = { conversationId: row!.id, actor: 'test', acceptingRoute: 'test' };
    await fixture.inTenant(tenantId, (tx) => forgetConversation(tx, command, dependencies()));
    expect(await readDeliveries(fixture, tenantId)).toMatchObject([
      { type: 'conversation.forgotten', owner: 'ada', data: { conversation_id: row!.id } },
    ]);
  });

  it('do not exist for a write that was rolled back, and number without a gap', async () => {
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks tea.');
    const failing = fixture.inTenant(tenantId, async (tx) => {
      const changes = [recall.observe('Ada drinks coffee.')];
      await writeMemories(tx, { userId: 'ada', actor: 'test', node: 'api', changes }, dependencies());
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await recall.remember('ada', 'Ada drinks water.');
    expect((await readDeliveries(fixture, tenantId)).map(({ seq }) => Number(seq))).toEqual([1, 2]);
  });

  it('are in the order of the commits of their user, for every endpoint that asked for them', async () => {
    const all = await addWebhook(fixture, tenantId, { id: 'all' });
    const some = await addWebhook(fixture, tenantId, { id: 'some', events: ['memory.deleted'] });
    const users = ['ada', 'bob', 'cleo'];
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => recall.remember(users[n % 3]!, `Person ${n} owns ${n} cats.`)),
    );
    const [first] = await recall.remember('ada', 'Ada drinks tea.');
    await recall.write('ada', { kind: 'delete', memoryId: first!, by: 'user' });
    const rows = await readDeliveries(fixture, tenantId);
    for (const userId of users) {
      const history = await fixture.queryAsSuperuser<{ id: string }>(
        `SELECT id FROM history WHERE tenant_id = $1 AND user_id = $2 AND event IN ('ADD', 'DELETE') ORDER BY seq`,
        [tenantId, userId],
      );
      const told = rows.filter((row) => row.webhook_key === all && row.owner === userId);
      expect(told.map((row) => row.event_id)).toEqual(history.map((row) => row.id));
      expect(told.map((row) => Number(row.seq))).toEqual(told.map((_, index) => index + 1));
    }
    expect(rows.filter((row) => row.webhook_key === some).map(({ type, seq }) => [type, Number(seq)])).toEqual([
      ['memory.deleted', 1],
    ]);
  });

  it('name global memories without a user, and other tenants nothing', async () => {
    const stranger = await fixture.addTenant();
    await addWebhook(fixture, stranger);
    await addWebhook(fixture, tenantId);
    await recall.remember(GLOBAL_OWNER, 'The office opens at nine.');
    expect(await typesOf(GLOBAL_OWNER)).toEqual(['memory.created']);
    expect(await readDeliveries(fixture, stranger)).toEqual([]);
  });

  it('tell of batches that are done or have failed', async () => {
    await addWebhook(fixture, tenantId);
    const batchId = await recall.postTurns('ada', 'thread', 'I drink tea.');
    await fixture.inTenant(tenantId, (tx) =>
      failBatch(tx, {
        batchId,
        kind: 'extraction',
        generation: 1,
        code: 'refused',
        message: WORD,
        now: fixture.clock.now(),
      }),
    );
    const [row] = await readDeliveries(fixture, tenantId);
    expect(row).toMatchObject({
      type: 'batch.failed',
      owner: 'ada',
      data: { batch_id: batchId, error_code: 'refused' },
    });
    expect(JSON.stringify(row)).not.toContain(WORD);
  });

  it('tell of runs of consolidation and of thresholds of the budget, once each', async () => {
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks tea.');
    const [run, subjectId] = [fixture.ids.next(), fixture.ids.next()];
    const now = fixture.clock.now();
    const start = { subjectId, userId: 'ada', trigger: 'schedule', startedAt: now } as const;
    const end = { state: 'done', watermark: null, counts: {}, endedAt: now } as const;
    await fixture.inTenant(tenantId, async (tx) => {
      const rehearsal = fixture.ids.next();
      await startMindRun(tx, { ...start, id: run, kind: 'consolidation', isDryRun: false });
      await startMindRun(tx, { ...start, id: rehearsal, kind: 'consolidation', isDryRun: true });
      await endMindRun(tx, { ...end, id: run });
      await endMindRun(tx, { ...end, id: rehearsal });
    });
    const alert = { day: '2026-01-05', scope: 'tenant', scopeId: tenantId, threshold: 90, now } as const;
    expect(await fireBudgetAlert(fixture.database, alert)).toBe(true);
    expect(await fireBudgetAlert(fixture.database, alert)).toBe(false);
    await fireBudgetAlert(fixture.database, { ...alert, scope: 'deployment', scopeId: '' });
    const rows = await readDeliveries(fixture, tenantId);
    expect(rows.map(({ type, owner, data }) => ({ type, owner, data }))).toEqual([
      { type: 'budget.threshold_reached', owner: '', data: { day: '2026-01-05', threshold_percent: 90 } },
      { type: 'memory.created', owner: 'ada', data: expect.anything() },
      { type: 'consolidation.done', owner: 'ada', data: { run_id: run } },
    ]);
  });

  it('tell every endpoint of an erasure behind all else of the user, and once', async () => {
    await addWebhook(fixture, tenantId, { events: ['batch.failed'] });
    await addWebhook(fixture, tenantId, { id: 'all' });
    await recall.remember('ada', 'Ada drinks zanzibarine tea.');
    await recall.remember('bob', 'Bob drinks tea.');
    const erased = await erase('ada');
    expect(erased!.receipt.counts).toMatchObject({ webhook_deliveries: 0 });
    expect(await typesOf('ada')).toEqual(['user.erased', 'memory.created', 'user.erased']);
    expect(await typesOf('bob')).toEqual(['memory.created']);
    await erase('ada');
    await erase('nobody');
    expect(await typesOf('ada')).toHaveLength(3);
    expect(await fixture.findTablesContaining('zanzibarine')).toEqual([]);
  });

  it('delete with an erasure what was told already', async () => {
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks tea.', 'Ada drinks coffee.');
    await fixture.queryAsSuperuser(
      `UPDATE webhook_deliveries SET status = 'delivered' WHERE tenant_id = $1 AND seq = 1`,
      [tenantId],
    );
    const erased = await erase('ada');
    expect(erased!.receipt.counts).toMatchObject({ webhook_deliveries: 1 });
    expect(await typesOf('ada')).toEqual(['memory.created', 'user.erased']);
  });

  it('test the endpoint that is named alone', async () => {
    const one = await addWebhook(fixture, tenantId, { id: 'one', events: ['batch.done'] });
    await addWebhook(fixture, tenantId, { id: 'other' });
    const eventId = fixture.ids.next();
    await fixture.inTenant(tenantId, (tx) => testWebhook(tx, one, eventId, fixture.clock.now()));
    const rows = await readDeliveries(fixture, tenantId);
    expect(rows).toMatchObject([{ webhook_key: one, type: 'webhook.test', event_id: eventId, owner: '' }]);
  });

  it('cannot be noted by services for whom they like', async () => {
    const attempt = fixture.inTenant(tenantId, (tx) =>
      tx.query(`SELECT note_webhook_events($1, '', '{}', '{}', '{}', '{}', now(), NULL)`, [tenantId]),
    );
    await expect(attempt).rejects.toThrow(/permission denied/);
  });

  it('go when they are old, whatever became of them, and so does the id of a user whose erasure could not be told', async () => {
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks tea.');
    await recall.remember('bob', 'Bob drinks tea.');
    await erase('ada');
    fixture.clock.advance(1_000);
    const before = fixture.clock.now();
    await recall.remember('bob', 'Bob drinks coffee.');
    await purgeWebhookDeliveries(fixture.database, before, 1_000);
    const rows = await readDeliveries(fixture, tenantId);
    expect(rows.map(({ owner, seq }) => [owner, Number(seq)])).toEqual([['bob', 2]]);
    const feeds = await fixture.queryAsSuperuser('SELECT owner FROM webhook_feeds WHERE tenant_id = $1', [tenantId]);
    expect(feeds).toEqual([{ owner: 'bob' }]);
    expect((await new FeedSenders(fixture).deliverAll())['bob']).toEqual([rows[0]!.event_id]);
  });

  it('go with their endpoint, and with their tenant', async () => {
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks tea.');
    expect(await fixture.inTenant(tenantId, (tx) => deleteWebhook(tx, 'hook'))).toBe(1);
    expect(await fixture.inTenant(tenantId, (tx) => deleteWebhook(tx, 'hook'))).toBeNull();
    expect(await readDeliveries(fixture, tenantId)).toEqual([]);
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks coffee.');
    expect(await deleteTenant(fixture.database, tenantId)).toMatchObject({ webhook_deliveries: 1, webhooks: 1 });
  });
});
