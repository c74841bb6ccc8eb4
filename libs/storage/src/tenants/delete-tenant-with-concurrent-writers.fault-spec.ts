import { newEvent, newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { buildReservation, reserve } from '../fixtures/model-call.fixture.js';
import { post, buildPost } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { acceptMessages } from '../conversations/accept-messages.js';
import { FOREIGN_KEY_VIOLATION, sqlState } from '../database/errors.js';
import type { Tx } from '../database/transaction.js';
import { recordEvents } from '../events/record-events.js';
import { openReservation } from '../ledger/open-reservation.js';
import { raiseBudgetEpoch } from '../ledger/reconcile.js';
import { writeMemories } from '../memories/write-memories.js';
import { deleteTenant } from './tenants.js';

// The embedded database serializes transactions, so the race cannot happen there.
describe('deleteTenant with concurrent writers', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
    await post(fixture, tenant, { flush: true });
  });
  afterAll(() => fixture.close());

  const remember = (tx: Tx, content: string) => {
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes: (size: number) => randomBytes(size) };
    const changes = [{ kind: 'observe' as const, memory: newMemory(content, fixture.clock.now()) }];
    const command = { userId: 'ada', actor: 'test', node: 'api', changes, embeddings: new Map() };
    return writeMemories(tx, command, dependencies);
  };
  const writeEvents = (tx: Tx, ...users: string[]) =>
    recordEvents(
      tx,
      users.map((userId) => newEvent(fixture.ids.next(), fixture.clock.now(), { userId })),
    );
  /** Does `work`, and starts the deletion before the commit. */
  const deleteDuring = async (work: (tx: Tx) => Promise<unknown>) => {
    let deleted: ReturnType<typeof deleteTenant> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await work(tx);
      deleted = deleteTenant(fixture.database, tenant);
      await fixture.waitForLockWaits(1, 'the deletion waits for the writer');
    });
    return deleted;
  };
  const findRemainingRows = async () => {
    const tables = await fixture.queryAsSuperuser<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind = 'r'`,
    );
    const counts = await Promise.all(
      tables.map(({ name }) =>
        fixture.queryAsSuperuser(`SELECT '${name}' AS name FROM ${name} WHERE tenant_id = $1`, [tenant]),
      ),
    );
    return counts.flat();
  };

  it('deletes what a post adds to a thread', async () => {
    const deleted = await deleteDuring((tx) => acceptMessages(tx, buildPost(fixture), fixture.ids));
    expect(deleted).toMatchObject({ messages: 2 });
    expect(await findRemainingRows()).toEqual([]);
  });

  it('deletes rows without a foreign key to the tenant: the events of a write that changed nothing', async () => {
    await fixture.inTenant(tenant, (tx) => remember(tx, 'Ada likes tea.'));
    const deleted = await deleteDuring((tx) => remember(tx, 'Ada likes tea.'));
    expect(deleted).toMatchObject({ memories: 1, history: 1, events: 2 });
    expect(await findRemainingRows()).toEqual([]);
  });

  it('deletes events that are being recorded, and prevents later ones', async () => {
    const deleted = await deleteDuring((tx) => writeEvents(tx, 'ada', 'a stranger'));
    expect(deleted).toMatchObject({ events: 2 });
    await fixture.inTenant(tenant, (tx) => writeEvents(tx, 'ada', 'a stranger'));
    expect(await findRemainingRows()).toEqual([]);
  });

  it('does not deadlock with a recording of events, in whatever order it locks their users', async () => {
    for (const userId of ['abe', 'aaa']) await post(fixture, tenant, { userId, flush: true });
    let writing: Promise<unknown> | undefined;
    let deleted: ReturnType<typeof deleteTenant> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE', ['abe']);
      writing = fixture.inTenant(tenant, (other) => writeEvents(other, 'aaa', 'abe', 'ada'));
      await fixture.waitForLockWaits(1, 'the events wait for a user');
      deleted = deleteTenant(fixture.database, tenant);
      await fixture.waitForLockWaits(2, 'the deletion waits for the events');
    });
    await writing;
    expect(await deleted).toMatchObject({ events: 3 });
    expect(await findRemainingRows()).toEqual([]);
  });

  it('does not block the rebuild of a budget, even if calls wait for it', async () => {
    const [user] = await fixture.queryAsSuperuser<{ user_id: string }>(
      'SELECT user_id FROM users WHERE tenant_id = $1',
      [tenant],
    );
    let opened: Promise<unknown> | undefined;
    let deleted: ReturnType<typeof deleteTenant> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE', [user!.user_id]);
      deleted = deleteTenant(fixture.database, tenant);
      await fixture.waitForLockWaits(1, 'the deletion waits for the writer');
      opened = fixture.inTenant(tenant, (open) => openReservation(open, buildReservation(fixture))).catch(sqlState);
      await fixture.waitForLockWaits(2, 'the call waits for the deletion');
      expect(await raiseBudgetEpoch(fixture.database, '2026-01-05')).toMatchObject({ reservations: [] });
    });
    await deleted;
    expect(await opened).toBe(FOREIGN_KEY_VIOLATION);
  });

  it('deletes the reservation of a call that is being admitted', async () => {
    const [batch] = await fixture.queryAsSuperuser<{ id: string }>('SELECT id FROM batches WHERE tenant_id = $1', [
      tenant,
    ]);
    const ofBatch = await deleteDuring((tx) => openReservation(tx, buildReservation(fixture, { batchId: batch!.id })));
    expect(ofBatch).toMatchObject({ reservations: 1 });
    expect(await findRemainingRows()).toEqual([]);
    tenant = await fixture.addTenant();
    const ofNobody = await deleteDuring((tx) => openReservation(tx, buildReservation(fixture)));
    expect(ofNobody).toMatchObject({ reservations: 1 });
    const late = reserve(fixture, tenant);
    expect(await late.then(() => 'written', sqlState)).toBe(FOREIGN_KEY_VIOLATION);
    expect(await findRemainingRows()).toEqual([]);
  });

  it('rejects later writes', async () => {
    await deleteTenant(fixture.database, tenant);
    const late = fixture.inTenant(tenant, (tx) => remember(tx, 'Ada came back.'));
    expect(await late.then(() => 'written', sqlState)).toBe(FOREIGN_KEY_VIOLATION);
    expect(await findRemainingRows()).toEqual([]);
  });
});
