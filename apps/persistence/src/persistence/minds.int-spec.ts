import { SUMMARY_IDLE_MS } from '@annals/domain';
import { getBatches } from '@annals/storage';
import { createTestDatabase, createTestPool, type TestDatabase, waitUntil } from '@annals/testing';
import { EmbeddingServer } from './embed/embedding-server.fixture.js';
import type { PersistenceService } from './persistence-service.fixture.js';

describe.each([
  ['on', true],
  ['off', false],
] as const)('a batch that is written while minds are %s', (minds, isOn) => {
  const embeddings = new EmbeddingServer();
  let database: TestDatabase;
  let service: PersistenceService;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await embeddings.startService(database, { ANNALS_MINDS: minds });
  });
  beforeEach(() => {
    service.lines.length = 0;
  });
  afterAll(async () => {
    await service?.stop();
    await embeddings.stop();
    await database?.drop();
  });

  const extract = (userId: string, message?: string) => {
    const items = [{ content: `The user ${userId} is fond of coffee.` }];
    return service.extract({ userId, items, ...(message === undefined ? {} : { message }) });
  };
  /** Work of minds that a batch asked for, with the ms from its write until the work is due. */
  const listAsked = (batchId: string) =>
    service.inTenant((tx) =>
      tx.query<{ kind: string; delay: number }>(
        `SELECT w.kind, round(extract(epoch FROM w.available_at - b.finished_at) * 1000)::int AS delay
           FROM batches b JOIN users u ON u.user_id = b.user_id
                JOIN work w ON w.subject_id IN (u.subject_id, b.conversation_id)
          WHERE b.id = $1 AND w.kind IN ('insights', 'summary') ORDER BY w.kind`,
        [batchId],
      ),
    );

  it('asks for insights at once, and for a summary as soon as the conversation is idle', async () => {
    const id = await extract('ana');
    await service.waitUntilDone(id);
    const [insights, summary, ...others] = await listAsked(id);
    expect([insights?.kind, summary?.kind, others]).toEqual(
      isOn ? ['insights', 'summary', []] : [undefined, undefined, []],
    );
    // The write takes as long as it takes; what matters is that only one of them waits for the conversation.
    if (isOn) expect(insights!.delay).toBeLessThan(SUMMARY_IDLE_MS / 2);
    if (isOn) expect(summary!.delay).toBeGreaterThan(SUMMARY_IDLE_MS / 2);
  });

  it('asks for a summary at once when it is long enough for one', async () => {
    const id = await extract('ben', `What was said. ${'We talked about the harbour for hours. '.repeat(120)}`);
    await service.waitUntilDone(id);
    const summaries = (await listAsked(id)).filter(({ kind }) => kind === 'summary');
    expect(summaries.map(({ delay }) => delay < SUMMARY_IDLE_MS / 2)).toEqual(isOn ? [true] : []);
  });

  it.each(['insights', 'summary'])('is written together with its request for work of kind %s, or not', async (kind) => {
    const superuser = createTestPool({
      connectionString: database.admin.url,
      options: '-c search_path=annals,public',
      max: 1,
    });
    try {
      await superuser.query(`CREATE FUNCTION annals.refuse_work() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.kind = '${kind}' THEN RAISE EXCEPTION 'refused' USING ERRCODE = 'serialization_failure'; END IF;
          RETURN NEW;
        END $$`);
      await superuser.query(
        'CREATE TRIGGER refuse_work BEFORE INSERT ON annals.work FOR EACH ROW EXECUTE FUNCTION annals.refuse_work()',
      );
      const userId = `refused-${kind}`;
      const id = await extract(userId);
      if (isOn) {
        await waitUntil(() => service.eventsNamed('persistence_batch_rollback').length > 0, {
          describe: 'the write was rolled back',
        });
        const [batch] = await service.inTenant((tx) => getBatches(tx, [id]));
        expect(batch!.status).not.toBe('done');
        expect(await service.listMemories(userId)).toEqual([]);
      } else {
        await service.waitUntilDone(id);
      }
      await superuser.query('DROP FUNCTION annals.refuse_work() CASCADE');
      await service.waitUntilDone(id);
      expect(await service.listMemories(userId)).toHaveLength(1);
      expect((await listAsked(id)).map((asked) => asked.kind)).toEqual(isOn ? ['insights', 'summary'] : []);
    } finally {
      await superuser.end();
    }
  });
});
