import { claimBatch } from '../batches/claim-batch.js';
import { completeExtraction, loadExtraction } from '../batches/complete-extraction.js';
import { deferBatch } from '../batches/defer-batch.js';
import { getBatches } from '../batches/read-batches.js';
import { replayBatch } from '../batches/fail-and-replay.js';
import { claimForExtraction, reserve, buildSettlement } from '../fixtures/model-call.fixture.js';
import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { loadPastCalls } from '../ledger/load-past-calls.js';
import { raiseBudgetEpoch } from '../ledger/reconcile.js';
import { readUsage } from '../ledger/read-usage.js';
import { migrate } from '../migrate.js';
import { PostgresWorkStore } from '../work/postgres-work-store.js';
import { deleteTenant } from '../tenants/tenants.js';
import { MIGRATIONS } from './index.js';
import { GONE_WITH_TENANT, TENANT_TABLES } from './tenant-tables.fixture.js';

const DAY = '2026-01-05';
const AT = new Date('2026-01-05T08:00:00Z');
const STATES = ['open', 'queued', 'extracting', 'persisting', 'done', 'deferred', 'failed'] as const;
type State = (typeof STATES)[number];

describe('a database of the first release', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let batches: Record<State, string>;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, 1);
    tenant = await fixture.addTenant();
    batches = Object.fromEntries(STATES.map((state) => [state, fixture.ids.next()])) as Record<State, string>;
    for (const state of STATES) await writeAsBefore(state);
    expect(await migrate(fixture.testDatabase.admin)).toEqual(MIGRATIONS.slice(1).map((migration) => migration.name));
  });
  afterAll(() => fixture.close());

  /** A conversation with one batch, as the first release would have left it. */
  async function writeAsBefore(state: State): Promise<void> {
    const [id, conversation] = [batches[state], fixture.ids.next()];
    const sql = (text: string, ...rest: unknown[]) =>
      fixture.queryAsSuperuser(`INSERT INTO ${text}`, [tenant, id, ...rest]);
    await fixture.queryAsSuperuser(
      `INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, 'ada', $2) ON CONFLICT DO NOTHING`,
      [tenant, AT],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO conversations (tenant_id, id, user_id, thread_id, message_count, created_at, updated_at)
       VALUES ($1, $2, 'ada', $3, 1, $4, $4)`,
      [tenant, conversation, state, AT],
    );
    const ended = state === 'done' || state === 'failed';
    await sql(
      `batches (tenant_id, id, conversation_id, user_id, state, message_count, sealed_at, attempts, cost_micro_usd,
                error_code, error_message, accepted_at, finished_at, deferred_until)
       VALUES ($1, $2, $3, 'ada', $4, 1, $5, 1, 9, $6, $6, $7, $8, $9)`,
      conversation,
      state === 'open' ? 'queued' : state,
      state === 'open' ? null : AT,
      state === 'failed' ? 'timeout' : null,
      AT,
      ended ? AT : null,
      state === 'deferred' ? AT : null,
    );
    await sql(
      `messages (tenant_id, batch_id, id, conversation_id, seq, role, content, said_at, received_at)
       VALUES ($1, $2, $3, $4, 0, 'user', 'hello', $5, $5)`,
      fixture.ids.next(),
      conversation,
      AT,
    );
    if (!ended) {
      const released = state === 'extracting' || state === 'persisting';
      await sql(
        `outbox (tenant_id, batch_id, id, queue, generation, available_at, rank_at, released_at, created_at)
         VALUES ($1, $2, $3, $4, 1, $5, $5, $6, $5)`,
        fixture.ids.next(),
        state === 'persisting' ? 'persistence' : 'extraction',
        AT,
        released ? AT : null,
      );
    }
    if (state !== 'persisting' && state !== 'done') return;
    await sql(
      `extractions (tenant_id, batch_id, user_id, provider, model, answer, items, created_at)
       VALUES ($1, $2, 'ada', 'openai', 'm', '{}', '[]', $3)`,
      AT,
    );
    await sql(
      `usage (tenant_id, batch_id, id, user_id, operation, provider, model, input_tokens, output_tokens, cost_micro_usd,
              estimated, day, ts)
       VALUES ($1, $2, $3, 'ada', 'extraction', 'openai', 'm', 1, 1, 9, false, $4, $5)`,
      fixture.ids.next(),
      DAY,
      AT,
    );
  }

  const inTenant: StorageFixture['inTenant'] = (id, work) => fixture.inTenant(id, work);
  const show = async (state: State) => (await inTenant(tenant, (tx) => getBatches(tx, [batches[state]])))[0]!;
  const lease = () =>
    new PostgresWorkStore(fixture.database).lease({ now: fixture.clock.now(), limit: 50, perTenant: 50, leaseMs: 1 });

  // In order: each goes on with what the ones before it left.
  it('shows its batches as what they were: interactive, nothing left out', async () => {
    for (const state of STATES) {
      expect(await show(state)).toMatchObject({
        status: state === 'open' ? 'queued' : state,
        cost_micro_usd: 9,
        priority: 'interactive',
        pruned_messages: 0,
        deferred_reason: null,
        shortfall_micro_usd: null,
      });
    }
  });

  it('counts its usage in the day’s budget and in the reports', async () => {
    const { spentByTenant, spentByProvider } = await raiseBudgetEpoch(fixture.database, DAY);
    expect([spentByTenant.get(tenant), spentByProvider.get('openai')]).toEqual([18, 18]);
    const request = { from: DAY, to: DAY, groupBy: 'call', limit: 10 } as const;
    const { items } = await inTenant(tenant, (tx) => readUsage(tx, request));
    expect(items).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }]);
    expect(await inTenant(tenant, (tx) => loadPastCalls(tx, batches.persisting))).toEqual([]);
  });

  it('takes further messages into its open batch', async () => {
    const { batchIds } = await post(fixture, tenant, { threadId: 'open', priority: 'bulk', flush: true });
    expect(batchIds).toEqual([batches.open]);
    expect(await show('open')).toMatchObject({ messages: 2, sealed: true, priority: 'interactive' });
  });

  it('releases what waits, and returns what the queue has lost', async () => {
    const { rows } = await lease();
    const waiting = [batches.open, batches.queued, batches.deferred];
    expect(rows.map((row) => row.subjectId).toSorted()).toEqual(waiting.toSorted());
    expect(rows.map((row) => row.lane).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    const store = new PostgresWorkStore(fixture.database);
    const now = fixture.clock.now();
    const suspects = await store.findSuspects({ now, releasedBefore: now, recheckAfterMs: 1, limit: 10 });
    expect(suspects.map((row) => row.subjectId).toSorted()).toEqual(
      [batches.extracting, batches.persisting].toSorted(),
    );
    expect(await store.returnToWaiting(suspects, now)).toBe(2);
  });

  it('extracts a batch that was being extracted, under a reservation', async () => {
    const batchId = batches.extracting;
    const fence = await claimForExtraction(fixture, tenant, batchId, 2);
    const id = await reserve(fixture, tenant, { batchId, generation: 2 });
    const answer = { provider: 'claude', model: 'm', notice: null, answer: '{}', items: [], trace: null };
    const rest = { promptVersion: 'p', diagnostics: null, prunedMessages: 0, now: fixture.clock.now() };
    const result = { ...answer, ...rest, batchId, fence, settlement: buildSettlement(fixture, id) };
    expect(await inTenant(tenant, (tx) => completeExtraction(tx, result, fixture.ids))).toBe('committed');
    expect(await show('extracting')).toMatchObject({ status: 'persisting', cost_micro_usd: 39 });
  });

  it('defers, persists and replays its batches', async () => {
    const now = fixture.clock.now();
    const fence = await claimForExtraction(fixture, tenant, batches.deferred);
    const deferral = { batchId: batches.deferred, fence, reason: 'circuit_open', shortfallMicroUsd: null } as const;
    expect(await inTenant(tenant, (tx) => deferBatch(tx, { ...deferral, until: now + 1_000, now }))).toBe(now + 1_000);
    expect(await show('deferred')).toMatchObject({ deferred_reason: 'circuit_open', generation: 2 });

    const claim = { batchId: batches.persisting, generation: 2, kind: 'persistence', now, leaseMs: 1_000 } as const;
    expect(await inTenant(tenant, (tx) => claimBatch(tx, claim))).toMatchObject({ outcome: 'claimed' });
    expect(await inTenant(tenant, (tx) => loadExtraction(tx, batches.persisting))).toMatchObject({
      provider: 'openai',
    });

    expect(await inTenant(tenant, (tx) => replayBatch(tx, batches.failed, now, fixture.ids))).toBe('replayed');
    await claimForExtraction(fixture, tenant, batches.failed, 2);
  });

  it('deletes its tenant with everything, old and new', async () => {
    await reserve(fixture, tenant, { batchId: batches.done });
    const receipt = await deleteTenant(fixture.database, tenant);
    const counted = TENANT_TABLES.filter((table) => !GONE_WITH_TENANT.includes(table));
    expect(Object.keys(receipt!).toSorted()).toEqual(counted.toSorted());
    expect(receipt).toMatchObject({ batches: STATES.length, usage: 3, reservations: 1, tenants: 1 });
    for (const table of TENANT_TABLES) {
      expect({ table, rows: await fixture.queryAsSuperuser(`SELECT FROM ${table}`) }).toEqual({ table, rows: [] });
    }
  });
});
