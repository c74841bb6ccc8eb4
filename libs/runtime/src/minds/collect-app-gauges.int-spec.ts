import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { createMetrics } from '@annals/observability';
import { acceptMessages, createTenant, Database, putApp, uninstallApp, writeAppMemory } from '@annals/storage';
import { createTestDatabase, newMessage, newPost, type TestDatabase } from '@annals/testing';
import { collectAppGauges } from './collect-app-gauges.js';

describe('the gauges of apps', () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 9));
  const ids = new UuidV7Generator(clock, new SeededRng(1));
  const metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = await Database.open(test.app);
    collectAppGauges(metrics, database);
  });
  afterAll(async () => {
    await database?.close();
    await test?.drop();
  });

  const addTenant = async () => {
    const id = ids.next();
    await createTenant(database, { id, name: id, now: clock.now() });
    return id;
  };
  const install = (tenantId: string, appId: string) =>
    database.inTenant(tenantId, (tx) => putApp(tx, { appId, name: appId, isShared: false, now: clock.now() }));
  /** The memory of a conversation that has ended. */
  const remember = (tenantId: string, appId: string, state: 'active' | 'pending') =>
    database.inTenant(tenantId, async (tx) => {
      const now = clock.now();
      const post = newPost([newMessage('I like tea.', now)], now, { userId: 'ada', threadId: null, appId, end: true });
      const { conversationId } = await acceptMessages(tx, post, ids);
      const messages = await tx.query<{ id: string }>('SELECT id FROM messages WHERE conversation_id = $1', [
        conversationId,
      ]);
      const messageIds = messages.map(({ id }) => id);
      const about = { id: ids.next(), appId, userId: 'ada', conversationId, asOfSeq: 0, messageIds };
      const fresh = { ...about, content: 'The user likes tea.', provider: 'local', model: null };
      await writeAppMemory(tx, { fresh, replaces: null, plan: null, state, now });
    });
  /** Installed apps, and those of them with memories, as scraped. */
  const scrape = async () => {
    const { body } = await metrics.render();
    return ['memory_llm_apps', 'memory_llm_apps_with_memories'].map((name) =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(body)?.[1] ?? NaN),
    );
  };

  it('are of all tenants, of what is installed, and of memories in use', async () => {
    expect(await scrape()).toEqual([0, 0]);
    const [one, other] = [await addTenant(), await addTenant()];
    await Promise.all([install(one, 'calendar'), install(one, 'mail'), install(other, 'calendar')]);
    expect(await scrape()).toEqual([3, 0]);
    await remember(one, 'mail', 'pending');
    // Not installed.
    await remember(one, 'notes', 'active');
    expect(await scrape()).toEqual([3, 0]);
    await remember(one, 'calendar', 'active');
    await remember(one, 'calendar', 'active');
    expect(await scrape()).toEqual([3, 1]);
    await remember(other, 'calendar', 'active');
    expect(await scrape()).toEqual([3, 2]);
    await database.inTenant(one, (tx) => uninstallApp(tx, 'calendar', clock.now()));
    expect(await scrape()).toEqual([2, 1]);
  });
});
