import type { MindStage } from '@annals/runtime';
import { Database, eraseUser, purgeAppMemories, storeMindWatermark } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase, waitUntil } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import type { AppMemoryMindSubject } from './app-memory-mind.js';
import { answerMemory, AppMemoryFixture, askModels } from './app-memories.fixture.js';

type Stage = MindStage<AppMemoryMindSubject>;

// The embedded database serializes transactions, so nobody waits for a lock there.
describe('a run about a conversation, while another person is erased whose memory it was merged with', () => {
  let test: TestDatabase;
  let models: FakeModels;
  let fixture: AppMemoryFixture;
  let admin: Database;
  let count = 0;

  beforeAll(async () => {
    test = await createTestDatabase();
    models = await startFakeModels({ answer: () => answerMemory('The user owns 20 hammers.') });
    fixture = await AppMemoryFixture.open(test, askModels(models));
    admin = await Database.open(test.admin);
    await fixture.install('planner', true);
  });
  afterAll(async () => {
    await admin?.close();
    await fixture?.close();
    await models?.close();
    await test?.drop();
  });
  beforeEach(async () => {
    models.behave(undefined);
    const request = { now: fixture.clock.now(), ids: fixture.infrastructure.ids, trace: null };
    await fixture.inTenant((tx) => purgeAppMemories(tx, { appId: 'planner', userId: undefined }, request));
    await fixture.store(
      'dan',
      Array.from({ length: 9 }, (_, at) => ({ said: `I own ${at} files.`, content: `The user owns ${at} files.` })),
    );
  });

  /** Two ended conversations of one person, in order, that the memory of another one rests on. */
  const merge = async () => {
    const erased = `ada-${++count}`;
    await fixture.store(erased, [{ said: 'I own 3 saws.', content: 'The user owns 3 saws.' }]);
    const converse = () => fixture.end(['I own 20 hammers.'], { userId: `bob-${count}`, threadId: null });
    const [first, second] = [await converse(), await converse()];
    await fixture.inTenant(async (tx) => {
      await tx.execute(
        `INSERT INTO app_memory_sources (app_memory_id, message_id, conversation_id, user_id)
         SELECT m.id, g.id, c.id, c.user_id FROM app_memories m, conversations c
           JOIN messages g ON g.conversation_id = c.id
          WHERE m.user_id = $1 AND c.id = ANY ($2)`,
        [erased, [first, second]],
      );
      for (const subjectId of [first, second]) {
        const seen = { watermark: 'earlier', failures: 0, now: fixture.clock.now() };
        await storeMindWatermark(tx, { kind: 'app_memory', subjectId, ...seen });
      }
    });
    return { erased, first, second };
  };
  const countLockWaits = () =>
    admin.inTenant(fixture.tenantId, async (tx) => {
      const waits = await tx.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waits.length;
    });
  const erase = (userId: string) => {
    const { clock, ids } = fixture.infrastructure;
    const erasure = { userId, actor: 'spec', key: Buffer.alloc(32, 3) };
    return fixture.inTenant((tx) => eraseUser(tx, erasure, { clock, ids, randomBytes }));
  };

  /**
   * Holds the watermark of `held` until the erasure waits for it, and the run for the erasure. Returns how the run ended,
   * and the errors of its transactions.
   */
  const runBesideErasure = async (about: string, { erased, held }: { erased: string; held: string }, stage?: Stage) => {
    const errors: unknown[] = [];
    const { database } = fixture.infrastructure;
    const inTenant: typeof database.inTenant = (...given) =>
      database.inTenant(...given).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    const recorded: Database = Object.assign(Object.create(database) as Database, { inTenant });
    let both: Promise<[string, unknown]> | undefined;
    await fixture.inTenant(async (tx) => {
      await tx.query('SELECT FROM mind_watermarks WHERE subject_id = $1 FOR UPDATE', [held]);
      const erasing = erase(erased);
      await waitUntil(async () => (await countLockWaits()) === 1, { describe: 'the erasure waits' });
      both = Promise.all([fixture.runJob(about, { database: recorded, ...(stage ? { stage } : {}) }), erasing]);
      both.catch(() => undefined);
      await waitUntil(async () => (await countLockWaits()) === 2, { describe: 'the run waits for the erasure' });
    });
    return { outcome: (await both!)[0], errors };
  };
  const waiting = (): Stage => ({
    ...fixture.stage,
    async run(mindRun) {
      mindRun.failedCalls += 1;
      return { outcome: 'wait', ending: { ends: 'deferred', reason: 'energy', until: fixture.clock.now() } };
    },
  });

  it('stores a memory that waits for its decision', async () => {
    const { erased, first } = await merge();
    const { outcome, errors } = await runBesideErasure(first, { erased, held: first });
    expect([outcome, errors]).toEqual(['deferred', []]);
    expect((await fixture.listMemories()).filter(({ state }) => state === 'pending')).toHaveLength(1);
    expect(await fixture.settle(first)).toBe('nothing waits');
    expect(await fixture.listActive()).toContain('The user owns 20 hammers.');
  });

  it.each<[string, string, () => Stage | undefined]>([
    ['waits, after a failed call', 'deferred', waiting],
    ['fails', 'failed', () => undefined],
  ])('%s, and is asked for again', async (_what, ending, makeStage) => {
    const { erased, first, second } = await merge();
    models.behave(() => ({ kind: 'error', status: 500 }));
    const { outcome, errors } = await runBesideErasure(first, { erased, held: second }, makeStage());
    expect([outcome, errors]).toEqual([ending, []]);
    expect((await fixture.findWork(first))?.status).toBe(ending === 'deferred' ? 'deferred' : 'waiting');
    expect((await fixture.findWork(second))?.status).toBe('waiting');
  });
});
