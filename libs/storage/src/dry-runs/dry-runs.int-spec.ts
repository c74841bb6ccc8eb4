import { randomBytes } from 'node:crypto';
import { buildMessage, buildPost, post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { deleteTenant } from '../tenants/tenants.js';
import {
  addDryRun,
  type DryRunAnswer,
  endDryRun,
  finishDryRun,
  loadDryRun,
  purgeDryRuns,
  readDryRun,
} from './dry-runs.js';
import { selectNewMessages } from './select-new-messages.js';

const EXPIRY_MS = 60_000;
const FAILED: DryRunAnswer = { ok: false, code: 'parsing', until: null };

describe('dry runs', () => {
  let fixture: StorageFixture;
  let tenant: string;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const add = async (conversationId: string | null = null, readsStored = true): Promise<string> => {
    const [id, now] = [fixture.ids.next(), fixture.clock.now()];
    const message = {
      id: fixture.ids.next(),
      place: 0,
      role: 'user',
      actorId: null,
      content: 'velmorphic',
      saidAt: now,
    } as const;
    const request = {
      userId: 'ada',
      conversationId,
      agentId: null,
      messages: [message],
      maxMessages: 50,
      readsStored,
    };
    await fixture.inTenant(tenant, async (tx) =>
      addDryRun(tx, { id, request, now, expiresAt: now + EXPIRY_MS, trace: null }, fixture.ids),
    );
    return id;
  };
  const read = (id: string, of = tenant) => fixture.inTenant(of, (tx) => readDryRun(tx, id));
  const load = (id: string) => fixture.inTenant(tenant, (tx) => loadDryRun(tx, id, { contextMessages: 1 }));
  const work = () =>
    fixture.queryAsSuperuser<{ subject_id: string; rank_at: Date }>(
      `SELECT subject_id, rank_at FROM work WHERE tenant_id = $1 AND kind = 'dry_run'`,
      [tenant],
    );

  it('are asked for before bulk work, answered once, and gone with their work when the answer is taken', async () => {
    const id = await add();
    const [row] = await work();
    expect(row!.subject_id).toBe(id);
    expect(row!.rank_at.getTime()).toBeLessThan(fixture.clock.now());
    expect(await read(id)).toBeNull();
    expect(await load(id)).toMatchObject({ userId: 'ada', context: [], userNames: [] });
    await fixture.inTenant(tenant, (tx) => finishDryRun(tx, id, FAILED));
    expect(await read(id)).toEqual(FAILED);
    expect(await load(id)).toBeNull();
    expect(await fixture.findTablesContaining('velmorphic')).toEqual([]);
    await fixture.inTenant(tenant, (tx) => endDryRun(tx, id));
    expect(await read(id)).toBe('gone');
    expect(await work()).toEqual([]);
  });

  it('have the messages before them as context', async () => {
    const { conversationId } = await post(fixture, tenant, {
      messages: [buildMessage('first'), buildMessage('second')],
    });
    const loaded = await load(await add(conversationId));
    expect(loaded!.context.map(({ content }) => content)).toEqual(['second']);
    expect((await load(await add(conversationId, false)))!.context).toEqual([]);
  });

  it('are of their tenant alone', async () => {
    const id = await add();
    expect(await read(id, await fixture.addTenant())).toBe('gone');
  });

  it('are deleted when they have expired, when anybody of the tenant is erased, and with the tenant', async () => {
    const expired = await add();
    expect(await purgeDryRuns(fixture.database, fixture.clock.now() + EXPIRY_MS - 1)).toBe(0);
    expect(await purgeDryRuns(fixture.database, fixture.clock.now() + EXPIRY_MS)).toBeGreaterThan(0);
    expect(await read(expired)).toBe('gone');
    const erased = await add();
    await post(fixture, tenant, { userId: 'ada' });
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    const command = { userId: 'ada', actor: 'test', key: Buffer.alloc(32) };
    await fixture.inTenant(tenant, (tx) => eraseUser(tx, command, dependencies));
    expect(await read(erased)).toBe('gone');
    await add();
    await deleteTenant(fixture.database, tenant);
    expect(await fixture.queryAsSuperuser('SELECT FROM dry_runs WHERE tenant_id = $1', [tenant])).toEqual([]);
  });

  it('leave out messages that are stored', async () => {
    const messages = [buildMessage('a', 'm1'), buildMessage('b', 'm2')];
    await post(fixture, tenant, { messages: messages.slice(0, 1) });
    const select = () => fixture.inTenant(tenant, (tx) => selectNewMessages(tx, buildPost(fixture, { messages })));
    expect(await select()).toMatchObject({ duplicates: 1, messages: [{ place: 1, content: 'b' }] });
    const other = buildPost(fixture, { messages: [buildMessage('other words', 'm1')] });
    await expect(fixture.inTenant(tenant, (tx) => selectNewMessages(tx, other))).rejects.toThrow(/used before/);
  });
});
