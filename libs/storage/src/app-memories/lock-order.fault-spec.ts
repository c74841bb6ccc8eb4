import { newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { putApp } from '../apps/app-registry.js';
import type { Tx } from '../database/transaction.js';
import { rememberConversation } from '../fixtures/app-memory.fixture.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { indexTurns } from '../lexical/index-turns.js';
import { writeMemories } from '../memories/write-memories.js';
import { storeMindWatermark } from '../minds/mind-watermarks.js';
import { eraseUser } from '../privacy/erase-user.js';
import { loadSummarizableMessages } from '../summaries/load-summary-subject.js';
import { claimWork } from '../work/claim-work.js';
import { failWork, replayWork } from '../work/end-work.js';
import { purgeAppMemories } from './delete-app-memories.js';

const FACT = 'I live in Lisbon.';

// The embedded database serializes transactions, so nobody waits for a lock there.
describe("an erasure that asks for app memories of another person's conversations", () => {
  let fixture: StorageFixture;
  let tenant: string;
  let count = 0;
  const deps = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const request = () => ({ now: fixture.clock.now(), ids: fixture.ids, trace: null });

  beforeAll(async () => {
    fixture = await StorageFixture.open({}, { asksMinds: true });
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture?.close());

  const newUser = () => `user-${++count}`;
  const install = async () => {
    const appId = `app-${++count}`;
    const app = { appId, name: 'Calendar', isShared: true, now: fixture.clock.now() };
    await fixture.inTenant(tenant, (tx) => putApp(tx, app));
    return appId;
  };
  /** A conversation that has ended, and that a run has seen. */
  const converse = async (appId: string, userId: string, threadId: string | null = null) => {
    const ending = { userId, threadId, appId, end: true, flush: true, messages: [buildMessage(FACT)] };
    const { conversationId: subjectId } = await post(fixture, tenant, ending);
    await fixture.inTenant(tenant, (tx) => {
      const seen = { watermark: '0.0', failures: 0, now: fixture.clock.now() };
      return storeMindWatermark(tx, { kind: 'app_memory', subjectId, ...seen });
    });
    return subjectId;
  };
  /** One memory of several conversations, as edits of eleven leave it. */
  const merge = async (target: string, ...others: string[]) => {
    const { id } = await rememberConversation(fixture, tenant, target);
    for (const other of others) {
      const merged = fixture.ids.next();
      const plan = { removedIds: [merged], edited: { id, content: 'Merged.' } };
      await rememberConversation(fixture, tenant, other, { id: merged, plan });
    }
  };
  const erase = (tx: Tx, userId: string) => eraseUser(tx, { userId, actor: 'key:1', key: Buffer.alloc(32, 3) }, deps());
  /**
   * Holds the watermark of a conversation until the erasure waits for it, which has locked all watermarks before it by
   * then, and `beside` for the erasure. Fails when the two wait for each other.
   */
  const eraseBeside = async <T>(userId: string, held: string, beside: (tx: Tx) => Promise<T>): Promise<T> => {
    let both: Promise<[unknown, T]> | undefined;
    await fixture.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM mind_watermarks WHERE subject_id = $1 FOR UPDATE', [held]);
      const erasing = fixture.inTenant(tenant, (other) => erase(other, userId));
      await fixture.waitForLockWaits(1, 'the erasure waits');
      both = Promise.all([erasing, fixture.inTenant(tenant, beside)]);
      both.catch(() => undefined);
      await fixture.waitForLockWaits(2, 'the other one waits');
    });
    return (await both!)[1];
  };

  it('does not deadlock with the indexing of a turn that repeats what was deleted', async () => {
    const app = await install();
    const [ada, bob] = [newUser(), newUser()];
    const told = await converse(app, ada);
    const repeated = await converse(app, ada);
    const [message] = await fixture.inTenant(tenant, (tx) => loadSummarizableMessages(tx, told, -1));
    const sources = [{ messageId: message!.id, quote: FACT }];
    const fact = newMemory('The user lives in Lisbon.', fixture.clock.now(), { origin: 'extraction', sources });
    const change = (changes: Parameters<typeof writeMemories>[1]['changes']) =>
      fixture.inTenant(tenant, (tx) => writeMemories(tx, { userId: ada, actor: 'test', node: 'api', changes }, deps()));
    const written = await change([{ kind: 'observe', memory: fact }]);
    if (written.outcome !== 'applied') throw new Error('The fact should be new.');
    await change([{ kind: 'delete', memoryId: written.written[0]!.id, by: 'user' }]);
    await merge(await converse(app, bob), repeated);
    const [work] = await fixture.queryAsSuperuser<{ batch: string }>(
      `UPDATE work w SET deferred_reason = 'not_due' FROM batches b
        WHERE w.kind = 'app_memory' AND w.subject_id = $1 AND b.conversation_id = $1 RETURNING b.id AS batch`,
      [repeated],
    );
    const indexing = (tx: Tx) => indexTurns(tx, { batchId: work!.batch, now: fixture.clock.now(), ids: fixture.ids });
    expect(await eraseBeside(bob, repeated, indexing)).toBe('indexed');
    expect(await fixture.queryAsSuperuser(`SELECT FROM app_memories WHERE app_id = $1`, [app])).toEqual([]);
  });

  it('does not deadlock with a replay of their work', async () => {
    const app = await install();
    const [ada, bob] = [newUser(), newUser()];
    const [first, second] = [await converse(app, ada), await converse(app, ada)];
    await merge(await converse(app, bob), first, second);
    const [work] = await fixture.queryAsSuperuser<{ id: string; generation: number }>(
      `SELECT id, generation FROM work WHERE kind = 'app_memory' AND subject_id = $1`,
      [first],
    );
    await fixture.inTenant(tenant, async (tx) => {
      const now = fixture.clock.now();
      const about = { kind: 'app_memory', subjectId: first, generation: work!.generation, now } as const;
      await claimWork(tx, { ...about, leaseMs: 1_000 });
      await failWork(tx, { ...about, code: 'transient' });
    });
    const replaying = (tx: Tx) => replayWork(tx, work!.id, fixture.clock.now());
    // The erasure has asked for it first.
    expect(await eraseBeside(bob, second, replaying)).toBe('not_failed');
  });

  it('does not deadlock with a purge of another app, to which a conversation has moved', async () => {
    const [from, to] = [await install(), await install()];
    const [ada, bob, carol] = [newUser(), newUser(), newUser()];
    const moved = await converse(from, ada, 'moving');
    const between = await converse(to, bob, 'between');
    const last = await converse(from, bob);
    await merge(between, await converse(to, ada));
    await converse(from, bob, 'between');
    await merge(await converse(from, carol), moved, between, last);
    await converse(to, ada, 'moving');
    const purging = (tx: Tx) => purgeAppMemories(tx, { appId: to, userId: ada }, request());
    expect(await eraseBeside(carol, last, purging)).toBe(1);
    const asked = await fixture.queryAsSuperuser<{ id: string }>(
      `SELECT subject_id AS id FROM work WHERE kind = 'app_memory' AND subject_id = ANY ($1)`,
      [[between, last]],
    );
    expect(asked.map(({ id }) => id).toSorted()).toEqual([between, last].toSorted());
  });
});
