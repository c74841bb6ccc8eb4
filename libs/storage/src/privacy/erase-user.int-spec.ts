import { userPseudonym } from '@annals/domain';
import { randomBytes } from 'node:crypto';
import type { ErasureReceipt } from '@annals/contracts';
import { newEvent } from '@annals/testing';
import type { AuditFinding } from '../audit/audit-finding.js';
import { verifyReceipt } from '../audit/receipts.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { buildSettlement } from '../fixtures/model-call.fixture.js';
import { simulateLifecycle, type SimulatedLifecycle } from '../fixtures/simulated-lifecycle.fixture.js';
import { post } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { FeedSenders } from '../fixtures/webhook.fixture.js';
import { MAX_EVENT_DELAY_MS, type NewEvent, recordEvents } from '../events/record-events.js';
import { storeIdempotent } from '../idempotency/idempotency.js';
import { settleReservation } from '../ledger/settle-reservation.js';
import { ERASED_WITH_USER } from '../migrations/webhooks/functions.sql.js';
import { TENANT_TABLES } from '../migrations/tenant-tables.fixture.js';
import { eraseUser } from './erase-user.js';

/** What stays without its person: money that was spent, calls that are running, the links of the audit chain. */
const STRIPPED_OF_USER = ['usage', 'reservations', 'history'] as const;

const KEY = Buffer.alloc(32, 3);
const WORD = 'quixotrium';
const OTHER_WORD = 'velmorphic';

describe('eraseUser', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let ada: SimulatedLifecycle;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    ada = await simulateLifecycle(fixture, tenantId, 'ada', WORD);
  });
  afterEach(async () => {
    await fixture.queryAsSuperuser('TRUNCATE tenants CASCADE');
    await fixture.queryAsSuperuser(
      'TRUNCATE events, history, change_log, thread_revisions, lexical_units, lexical_postings, usage',
    );
    await fixture.queryAsSuperuser(
      'TRUNCATE checkpoint_versions, idempotency_keys, erasure_receipts, langgraph_namespaces, langgraph_checkpoints, langgraph_writes',
    );
  });
  afterAll(() => fixture.close());

  const attempt = (userId = 'ada', tenant = tenantId) =>
    fixture.inTenant(tenant, (tx) =>
      eraseUser(tx, { userId, actor: 'test', key: KEY }, { clock: fixture.clock, ids: fixture.ids, randomBytes }),
    );
  const pseudonymOf = (userId: string) => userPseudonym(fixture.database.chainKey, tenantId, userId);
  const erase = async (userId?: string) => (await attempt(userId))!.receipt;
  const rowsOf = async (userId: string) => {
    const counts: Record<string, number> = {};
    for (const table of TENANT_TABLES) {
      const [row] = await fixture.queryAsSuperuser<{ count: number }>(
        `SELECT count(*)::integer AS count FROM ${table} t
          WHERE t.tenant_id = $1 AND t::text LIKE '%' || $2 || '%'`,
        [tenantId, userId],
      );
      counts[table] = row!.count;
    }
    return counts;
  };
  const verify = async () => {
    const findings: AuditFinding[] = [];
    const counts = await verifyAudit(fixture.database, {
      tenantId: null,
      keys: [KEY],
      report: (f) => findings.push(f),
    });
    return { findings, counts };
  };

  it('classifies every tenant table: deleted with the user, stripped of the user, or not personal', () => {
    const notAboutPeople = [
      'tenants',
      'api_keys',
      'budgets',
      'users',
      'erasure_receipts',
      'energy_meters',
      'energy_usage',
      'energy_polls',
      'consolidation_tokens',
      'apps',
      'langgraph_logins',
      'webhooks',
      // Goes when the erasure was told (libs/storage/src/webhooks).
      'webhook_feeds',
      // That a folder was removed, under the pseudonym (libs/vault).
      'vault_erasures',
    ];
    const goneWithTheirMemory = ['app_memory_sources'];
    // All of the tenant, whoever is erased: they live for seconds.
    const goneWithAnyErasure = ['dry_runs'];
    const classified = [
      ...Object.keys(ERASED_WITH_USER),
      ...STRIPPED_OF_USER,
      ...notAboutPeople,
      ...goneWithTheirMemory,
      ...goneWithAnyErasure,
    ];
    expect(classified.toSorted()).toEqual([...TENANT_TABLES].toSorted());
  });

  it('leaves no personal content in any column of any table, and no rows of the user but the audit trail', async () => {
    const planted = await fixture.findTablesContaining(WORD);
    expect(planted).toEqual(
      expect.arrayContaining(['call_answers', 'checkpoints', 'extractions', 'history', 'memories', 'messages']),
    );
    const receipt = await erase();
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
    for (const table of Object.keys(ERASED_WITH_USER)) {
      expect([table, receipt.counts[table]]).toEqual([table, expect.any(Number)]);
      expect([table, receipt.counts[table]! > 0]).toEqual([table, true]);
    }
    const tablesWith = async (id: string) =>
      Object.entries(await rowsOf(id)).flatMap(([table, count]) => (count > 0 ? [table] : []));
    // As a column of its own: the three letters may occur in a hash.
    // What is still to be told, as ids, and that the user was erased.
    expect(await tablesWith(',ada,')).toEqual(['webhook_deliveries', 'webhook_feeds']);
    await new FeedSenders(fixture).deliverAll();
    expect(await tablesWith(',ada,')).toEqual([]);
    expect((await tablesWith(pseudonymOf('ada'))).toSorted()).toEqual(['erasure_receipts', 'history', 'users']);
  });

  it('leaves an audit trail without content that verifies, and a receipt that verifies against it', async () => {
    const before = await verify();
    expect(before).toMatchObject({ findings: [], counts: { tenants: 1, users: 1 } });
    const receipt = await erase();
    expect(await verify()).toEqual({
      findings: [],
      counts: { ...before.counts, rows: before.counts.rows + 1, receipts: 1, memories: 0 },
    });
    const rows = await fixture.queryAsSuperuser<{ content: string | null; event: string }>(
      'SELECT content, salt, event FROM history WHERE tenant_id = $1 ORDER BY seq',
      [tenantId],
    );
    expect(rows.slice(0, -1).every((row) => row.content === null)).toBe(true);
    expect(rows.at(-1)).toMatchObject({ event: 'ERASE', content: '' });
    expect(await verifyReceipt(fixture.database, [KEY], receipt)).toEqual([]);
    const forged: ErasureReceipt = { ...receipt, counts: { ...receipt.counts, messages: 99 } };
    expect(await verifyReceipt(fixture.database, [KEY], forged)).toEqual(['forged_receipt']);
  });

  it('retains costs: usage without a user, and running calls until they are settled', async () => {
    const total = () =>
      fixture.queryAsSuperuser<{ spent: string; held: string }>(
        `SELECT (SELECT sum(cost_micro_usd) FROM usage) AS spent, (SELECT sum(amount_micro_usd) FROM reservations) AS held`,
      );
    const before = await total();
    await erase();
    expect(await total()).toEqual(before);
    const [running] = await fixture.queryAsSuperuser<{ id: string; batch_id: string | null; user_id: string | null }>(
      'SELECT id, batch_id, user_id FROM reservations',
    );
    expect(running).toMatchObject({ batch_id: null, user_id: null });
    const answer = { text: WORD, problem: WORD };
    const settled = await fixture.inTenant(tenantId, (tx) =>
      settleReservation(tx, buildSettlement(fixture, running!.id, { costMicroUsd: 77, answer })),
    );
    expect(settled).toBe('settled');
    expect(await total()).toEqual([{ spent: String(Number(before[0]!.spent) + 77), held: null }]);
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
  });

  it('does not change other users, nor a user of the same id in another tenant', async () => {
    await simulateLifecycle(fixture, tenantId, 'bob', OTHER_WORD);
    const stranger = await fixture.addTenant();
    await simulateLifecycle(fixture, stranger, 'ada', 'brindlewax');
    const takeSnapshot = async () => {
      const rows: Record<string, unknown[]> = {};
      for (const table of TENANT_TABLES) {
        rows[table] = await fixture.queryAsSuperuser(
          `SELECT t::text FROM ${table} t WHERE t.tenant_id = $1 OR t::text LIKE '%bob%' OR t::text LIKE $2 ORDER BY 1`,
          [stranger, `%${OTHER_WORD}%`],
        );
      }
      return rows;
    };
    const before = await takeSnapshot();
    await erase();
    expect(await takeSnapshot()).toEqual(before);
    expect((await verify()).findings).toEqual([]);
  });

  it('returns the same receipt again while there is nothing new, and null for an unknown user', async () => {
    const first = await attempt();
    expect(first).toMatchObject({ isRepeated: false });
    fixture.clock.advance(5_000);
    expect(await attempt()).toEqual({ ...first, isRepeated: true });
    expect(await attempt('nobody')).toBeNull();
    expect(await fixture.queryAsSuperuser('SELECT FROM users WHERE user_id = $1', ['nobody'])).toEqual([]);
  });

  it('starts a new user for later messages, and erases those too', async () => {
    const first = await erase();
    fixture.clock.advance(1_000);
    const again = await simulateLifecycle(fixture, tenantId, 'ada', OTHER_WORD);
    expect(again.batches[0]).not.toBe(ada.batches[0]);
    const recall = new RecallFixture(fixture, tenantId);
    expect(await recall.contents('ada', `${OTHER_WORD} stones`)).not.toEqual([]);
    expect(await recall.contents('ada', `${WORD} stones`)).toEqual(
      expect.not.arrayContaining([expect.stringContaining(WORD)]),
    );
    const second = await erase();
    expect(second.id).not.toBe(first.id);
    expect(second.chain.seq).toBeGreaterThan(first.chain.seq);
    expect(await fixture.findTablesContaining(OTHER_WORD)).toEqual([]);
    expect(await verify()).toMatchObject({ findings: [], counts: { receipts: 2 } });
    for (const receipt of [first, second]) expect(await verifyReceipt(fixture.database, [KEY], receipt)).toEqual([]);
  });

  it('gives a message from a slower clock an acceptance time after the erasure', async () => {
    const first = await attempt();
    fixture.clock.advance(60_000);
    expect(await attempt()).toEqual({ ...first, isRepeated: true });
    const { batchIds } = await post(fixture, tenantId, { now: fixture.clock.now() - 60_000 });
    const [row] = await fixture.queryAsSuperuser<{ is_later: boolean }>(
      `SELECT b.accepted_at > u.erased_at AS is_later FROM batches b JOIN users u USING (tenant_id)
        WHERE b.id = $1 AND u.user_id = $2`,
      [batchIds[0], pseudonymOf('ada')],
    );
    expect(row).toEqual({ is_later: true });
  });

  const newUserEvent = (userId: string | null) =>
    newEvent(fixture.ids.next(), fixture.clock.now(), { userId, threadId: WORD });
  const writeEvents = (...events: NewEvent[]) => fixture.inTenant(tenantId, (tx) => recordEvents(tx, events));
  const readEventIds = async () =>
    (await fixture.queryAsSuperuser<{ id: string }>('SELECT id FROM events ORDER BY id')).map(({ id }) => id);

  it('omits events from before it, also with clock skew, and stores later ones and those of others', async () => {
    const first = await attempt();
    fixture.clock.advance(MAX_EVENT_DELAY_MS);
    const late = newUserEvent('ada');
    await writeEvents(late);
    expect(await attempt()).toEqual({ ...first, isRepeated: true });
    fixture.clock.advance(MAX_EVENT_DELAY_MS + 1);
    const kept = [newUserEvent('ada'), newUserEvent('nobody'), newUserEvent(null)];
    await writeEvents(late, ...kept);
    expect(await readEventIds()).toEqual(kept.map(({ id }) => id));
  });

  it('omits events from before an erasure that found nothing left', async () => {
    await attempt();
    fixture.clock.advance(MAX_EVENT_DELAY_MS + 1);
    const late = newUserEvent('ada');
    expect(await attempt()).toMatchObject({ isRepeated: true });
    await writeEvents(late);
    expect(await readEventIds()).toEqual([]);
  });

  it('erases a user with events only, once', async () => {
    await writeEvents(newUserEvent('eve'), newUserEvent('eve'), newUserEvent('bob'));
    const first = await attempt('eve');
    expect(first).toMatchObject({ isRepeated: false, receipt: { counts: { events: 2 }, chain: { seq: 1 } } });
    expect(await attempt('eve')).toEqual({ ...first, isRepeated: true });
    expect(await fixture.queryAsSuperuser(`SELECT user_id FROM events WHERE user_id <> 'ada'`)).toEqual([
      { user_id: 'bob' },
    ]);
    expect((await verify()).findings).toEqual([]);
    expect(await verifyReceipt(fixture.database, [KEY], first!.receipt)).toEqual([]);
  });

  it('is proven by every receipt, even when a slower clock wrote a later one', async () => {
    const first = await erase();
    await post(fixture, tenantId, {});
    fixture.clock.advance(-60_000);
    const second = await erase();
    expect(second.id).not.toBe(first.id);
    for (const receipt of [first, second]) expect(await verifyReceipt(fixture.database, [KEY], receipt)).toEqual([]);
  });

  it('leaves the id in no table, with API keys and answers that name it, until the user returns', async () => {
    const id = 'ada-lovelace-1815';
    await simulateLifecycle(fixture, tenantId, id, 'plumgrackle');
    const keyId = fixture.ids.next();
    const now = fixture.clock.now();
    await fixture.queryAsSuperuser(
      `INSERT INTO api_keys (tenant_id, id, name, key_hash, prefix, scopes, user_id, created_at)
       VALUES ($1, $2, 'a key', '\\x00', 'ann_', '{query}', $3, $4)`,
      [tenantId, keyId, id, new Date(now)],
    );
    await fixture.inTenant(tenantId, (tx) =>
      storeIdempotent(tx, {
        route: 'POST /v1/admin/keys',
        key: 'make-key',
        requestHmac: Buffer.alloc(32),
        status: 201,
        response: { body: { id: keyId, user_id: id } },
        userId: null,
        now,
      }),
    );
    const receipt = await erase(id);
    expect(receipt).toMatchObject({ user_id: id, counts: { api_keys: 1 } });
    await new FeedSenders(fixture).deliverAll();
    expect(await fixture.findTablesContaining(id)).toEqual([]);
    expect(await fixture.queryAsSuperuser('SELECT user_id, revoked_at FROM api_keys WHERE id = $1', [keyId])).toEqual([
      { user_id: pseudonymOf(id), revoked_at: new Date(now) },
    ]);
    fixture.clock.advance(1_000);
    await post(fixture, tenantId, { userId: id });
    expect(await fixture.findTablesContaining(id)).toEqual(['batches', 'conversations', 'users']);
    expect((await erase(id)).chain.seq).toBe(receipt.chain.seq + 1);
    await new FeedSenders(fixture).deliverAll();
    expect(await fixture.findTablesContaining(id)).toEqual([]);
    expect((await verify()).findings).toEqual([]);
  });

  it('erases a user of whom there is nothing but a bound API key', async () => {
    const id = 'grace-hopper-1906';
    await fixture.queryAsSuperuser(
      `INSERT INTO api_keys (tenant_id, id, name, key_hash, prefix, scopes, user_id, created_at)
       VALUES ($1, $2, 'a key', '\\x01', 'ann_', '{query}', $3, now())`,
      [tenantId, fixture.ids.next(), id],
    );
    expect(await erase(id)).toMatchObject({ user_id: id, counts: { api_keys: 1 } });
    await new FeedSenders(fixture).deliverAll();
    expect(await fixture.findTablesContaining(id)).toEqual([]);
  });

  it('is possible with another secret key than the history was written with, whose chain stays whole', async () => {
    const otherKey = Buffer.alloc(32, 4);
    const other = await fixture.openAnother({ chainKey: Buffer.alloc(32, 9) });
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    const eraseWithOther = (userId: string) =>
      other.inTenant(tenantId, (tx) => eraseUser(tx, { userId, actor: 'test', key: otherKey }, dependencies));
    const { receipt } = (await eraseWithOther('ada'))!;
    expect(await fixture.findTablesContaining(WORD)).toEqual([]);
    expect(receipt).toMatchObject({ user_id: 'ada', history_pseudonym: pseudonymOf('ada') });
    expect(await verifyReceipt(other, [otherKey], receipt)).toEqual([]);
    for (const change of [{ user_id: 'bob' }, { history_pseudonym: pseudonymOf('bob') }, { history_pseudonym: null }]) {
      expect(await verifyReceipt(other, [otherKey], { ...receipt, ...change })).toEqual(['forged_receipt']);
    }
    const found: AuditFinding[] = [];
    await verifyAudit(other, { tenantId, keys: [otherKey], report: (finding) => found.push(finding) });
    expect(found).toEqual([]);
    // Those with the former key know the chain, and not who signed.
    const forged = { fault: 'forged_receipt', tenantId, userId: pseudonymOf('ada'), seq: receipt.chain.seq };
    expect(await verifyReceipt(fixture.database, [KEY], receipt)).toEqual(['forged_receipt']);
    expect((await verify()).findings).toEqual([forged]);

    fixture.clock.advance(1_000);
    const again = await attempt();
    expect(again).toMatchObject({ isRepeated: false, receipt: { history_pseudonym: null } });
    expect(await verifyReceipt(fixture.database, [KEY], again!.receipt)).toEqual([]);
    expect(await attempt()).toEqual({ ...again, isRepeated: true });
    await simulateLifecycle(fixture, tenantId, 'ada', OTHER_WORD);
    expect((await verify()).findings).toEqual([forged]);
    expect((await eraseWithOther('ada'))!.receipt.chain.seq).toBeGreaterThan(again!.receipt.chain.seq);
    expect((await verify()).findings.map(({ fault }) => fault)).toEqual(['forged_receipt', 'forged_receipt']);
  });

  it('does nothing without a tenant', async () => {
    const [row] = await fixture.database.callAcrossTenants<{ erase_and_seal: unknown }>('erase_and_seal', [
      'ada',
      pseudonymOf('ada'),
      new Date(fixture.clock.now()),
    ]);
    expect(row).toEqual({ erase_and_seal: null });
    expect(await fixture.findTablesContaining(WORD)).toContain('messages');
  });
});
