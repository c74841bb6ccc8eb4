import { newEvent, newMemory, waitUntil } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { reservationOf, reserve } from '../contract/call.contract.js';
import { post, postOf } from '../contract/post.contract.js';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { acceptMessages } from '../conversations/index.js';
import { FOREIGN_KEY_VIOLATION, sqlState } from '../database/errors.js';
import type { Tx } from '../database/transaction.js';
import { recordEvents } from '../events/index.js';
import { openReservation, raiseBudgetEpoch } from '../ledger/index.js';
import { writeMemories } from '../memories/index.js';
import { deleteTenant } from './tenants.js';

// The embedded database runs one transaction at a time, so there the two never meet.
describe('a tenant that is deleted while somebody writes', () => {
  let bench: StorageBench;
  let tenant: string;

  beforeAll(async () => {
    bench = await StorageBench.open();
  });
  beforeEach(async () => {
    tenant = await bench.addTenant();
    await post(bench, tenant, { flush: true });
  });
  afterAll(() => bench.close());

  const remember = (tx: Tx, content: string) => {
    const dependencies = { clock: bench.clock, ids: bench.ids, randomBytes: (size: number) => randomBytes(size) };
    const changes = [{ kind: 'observe' as const, memory: newMemory(content, bench.clock.now()) }];
    const command = { userId: 'ada', actor: 'test', node: 'api', changes, embeddings: new Map() };
    return writeMemories(tx, command, dependencies);
  };
  const tell = (tx: Tx, ...users: string[]) =>
    recordEvents(
      tx,
      users.map((userId) => newEvent(bench.ids.next(), bench.clock.now(), { userId })),
    );
  const waitingForLocks = async () =>
    (
      await bench.look(`SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`, [
        bench.place.name,
      ])
    ).length;
  /** Does `work`, and lets the deletion run into it before it commits. */
  const deleteDuring = async (work: (tx: Tx) => Promise<unknown>) => {
    let deleted: ReturnType<typeof deleteTenant> | undefined;
    await bench.inTenant(tenant, async (tx) => {
      await work(tx);
      deleted = deleteTenant(bench.database, tenant);
      await waitUntil(async () => (await waitingForLocks()) === 1, { describe: 'the deletion waits for the writer' });
    });
    return deleted;
  };
  const leftOver = async () => {
    const tables = await bench.look<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind = 'r'`,
    );
    const counts = await Promise.all(
      tables.map(({ name }) => bench.look(`SELECT '${name}' AS name FROM ${name} WHERE tenant_id = $1`, [tenant])),
    );
    return counts.flat();
  };

  it('takes what a post adds to a thread', async () => {
    const deleted = await deleteDuring((tx) => acceptMessages(tx, postOf(bench), bench.ids));
    expect(deleted).toMatchObject({ messages: 2 });
    expect(await leftOver()).toEqual([]);
  });

  it('takes what no foreign key ties to it: the log of a write that changed nothing', async () => {
    await bench.inTenant(tenant, (tx) => remember(tx, 'Ada likes tea.'));
    const deleted = await deleteDuring((tx) => remember(tx, 'Ada likes tea.'));
    expect(deleted).toMatchObject({ memories: 1, history: 1, events: 2 });
    expect(await leftOver()).toEqual([]);
  });

  it('takes what is written behind answers, and lets none of it be written later', async () => {
    const deleted = await deleteDuring((tx) => tell(tx, 'ada', 'a stranger'));
    expect(deleted).toMatchObject({ events: 2 });
    await bench.inTenant(tenant, (tx) => tell(tx, 'ada', 'a stranger'));
    expect(await leftOver()).toEqual([]);
  });

  it('never waits for events that wait for it, in whatever order it comes upon their users', async () => {
    for (const userId of ['abe', 'aaa']) await post(bench, tenant, { userId, flush: true });
    let told: Promise<unknown> | undefined;
    let deleted: ReturnType<typeof deleteTenant> | undefined;
    await bench.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE', ['abe']);
      told = bench.inTenant(tenant, (other) => tell(other, 'aaa', 'abe', 'ada'));
      await waitUntil(async () => (await waitingForLocks()) === 1, { describe: 'the events wait for a user' });
      deleted = deleteTenant(bench.database, tenant);
      await waitUntil(async () => (await waitingForLocks()) === 2, { describe: 'the deletion waits for the events' });
    });
    await told;
    expect(await deleted).toMatchObject({ events: 3 });
    expect(await leftOver()).toEqual([]);
  });

  it('keeps nobody else from rebuilding a budget, though calls wait for it', async () => {
    const [user] = await bench.look<{ user_id: string }>('SELECT user_id FROM users WHERE tenant_id = $1', [tenant]);
    let opened: Promise<unknown> | undefined;
    let deleted: ReturnType<typeof deleteTenant> | undefined;
    await bench.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE', [user!.user_id]);
      deleted = deleteTenant(bench.database, tenant);
      await waitUntil(async () => (await waitingForLocks()) === 1, { describe: 'the deletion waits for the writer' });
      opened = bench.inTenant(tenant, (open) => openReservation(open, reservationOf(bench))).catch(sqlState);
      await waitUntil(async () => (await waitingForLocks()) === 2, { describe: 'the call waits for the deletion' });
      expect(await raiseBudgetEpoch(bench.database, '2026-01-05')).toMatchObject({ holds: [] });
    });
    await deleted;
    expect(await opened).toBe(FOREIGN_KEY_VIOLATION);
  });

  it('takes a call that is being admitted', async () => {
    const [batch] = await bench.look<{ id: string }>('SELECT id FROM batches WHERE tenant_id = $1', [tenant]);
    const ofBatch = await deleteDuring((tx) => openReservation(tx, reservationOf(bench, { batchId: batch!.id })));
    expect(ofBatch).toMatchObject({ reservations: 1 });
    expect(await leftOver()).toEqual([]);
    tenant = await bench.addTenant();
    const ofNobody = await deleteDuring((tx) => openReservation(tx, reservationOf(bench)));
    expect(ofNobody).toMatchObject({ reservations: 1 });
    const late = reserve(bench, tenant);
    expect(await late.then(() => 'written', sqlState)).toBe(FOREIGN_KEY_VIOLATION);
    expect(await leftOver()).toEqual([]);
  });

  it('refuses who comes later', async () => {
    await deleteTenant(bench.database, tenant);
    const late = bench.inTenant(tenant, (tx) => remember(tx, 'Ada came back.'));
    expect(await late.then(() => 'written', sqlState)).toBe(FOREIGN_KEY_VIOLATION);
    expect(await leftOver()).toEqual([]);
  });
});
