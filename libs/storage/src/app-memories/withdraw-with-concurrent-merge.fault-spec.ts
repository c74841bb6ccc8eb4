import { newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { putApp } from '../apps/app-registry.js';
import type { Tx } from '../database/transaction.js';
import { rememberConversation } from '../fixtures/app-memory.fixture.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { writeMemories } from '../memories/write-memories.js';
import { eraseUser } from '../privacy/erase-user.js';
import { loadSummarizableMessages } from '../summaries/load-summary-subject.js';
import { lockConversation } from '../summaries/write-summaries.js';
import { lockAppMemoryPool } from './pool.js';
import { writeAppMemory } from './write-app-memory.js';

const FACT = 'I live in Lisbon.';
const app = { appId: 'calendar', isShared: true };

// The embedded database serializes transactions, so nobody waits for a lock there.
describe('what one person takes away, while another one is merged with it in a shared app', () => {
  let fixture: StorageFixture;
  let tenant: string;
  const deps = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });

  beforeAll(async () => {
    fixture = await StorageFixture.open({}, { asksMinds: true });
    tenant = await fixture.addTenant();
    await fixture.inTenant(tenant, (tx) => putApp(tx, { ...app, name: 'Calendar', now: fixture.clock.now() }));
  });
  afterAll(() => fixture?.close());

  const converse = async (userId: string) => {
    const messages = [buildMessage(FACT)];
    const posted = await post(fixture, tenant, {
      userId,
      threadId: null,
      appId: app.appId,
      end: true,
      flush: true,
      messages,
    });
    return posted.conversationId;
  };
  const change = (tx: Tx, userId: string, changes: Parameters<typeof writeMemories>[1]['changes']) =>
    writeMemories(tx, { userId, actor: 'test', node: 'api', changes }, deps());
  const deleteFact = async (tx: Tx, userId: string) => {
    const [memory] = await tx.query<{ id: string }>('SELECT id FROM memories WHERE user_id = $1', [userId]);
    await change(tx, userId, [{ kind: 'delete', memoryId: memory!.id, by: 'user' }]);
  };
  const erase = (tx: Tx, userId: string) => eraseUser(tx, { userId, actor: 'key:1', key: Buffer.alloc(32, 3) }, deps());

  it.each<[string, string, (tx: Tx, userId: string) => Promise<unknown>]>([
    ['a deletion', 'ada', deleteFact],
    ['an erasure', 'eve', erase],
  ])('goes with %s that waited for the merge, and is asked for again', async (_what, owner, takeAway) => {
    const [own, other] = [await converse(owner), await converse('bob')];
    const target = await rememberConversation(fixture, tenant, own);
    await fixture.inTenant(tenant, async (tx) => {
      const [message] = await loadSummarizableMessages(tx, own, -1);
      const sources = [{ messageId: message!.id, quote: FACT }];
      const memory = newMemory('The user lives in Lisbon.', fixture.clock.now(), { origin: 'extraction', sources });
      await change(tx, owner, [{ kind: 'observe', memory }]);
    });
    await fixture.queryAsSuperuser(`DELETE FROM work WHERE kind = 'app_memory'`);
    let taking: Promise<unknown> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await lockConversation(tx, 'bob', other);
      expect(await lockAppMemoryPool(tx, app, 'bob')).toBe(true);
      taking = fixture.inTenant(tenant, (beside) => takeAway(beside, owner));
      await fixture.waitForLockWaits(1, 'it waits for the merge');
      const [message] = await loadSummarizableMessages(tx, other, -1);
      const id = fixture.ids.next();
      const made = { content: 'The user likes tea.', messageIds: [message!.id], provider: 'local', model: null };
      const fresh = { id, appId: app.appId, userId: 'bob', conversationId: other, asOfSeq: 0, ...made };
      const plan = { removedIds: [id], edited: { id: target.id, content: 'Lisbon and tea.' } };
      await writeAppMemory(tx, { fresh, replaces: null, plan, state: 'active', now: fixture.clock.now() });
    });
    await taking;
    expect(await fixture.queryAsSuperuser('SELECT FROM app_memories WHERE id = $1', [target.id])).toEqual([]);
    const asked = await fixture.queryAsSuperuser<{ id: string }>(
      `SELECT subject_id AS id FROM work WHERE kind = 'app_memory'`,
    );
    expect(asked.map(({ id }) => id)).toContain(other);
  });
});
