import { getBatches } from '@annals/storage';
import { createTestDatabase, createTestPool, type TestDatabase, waitUntil } from '@annals/testing';
import type pg from 'pg';
import { EmbeddingServer } from '../embed/embedding-server.fixture.js';
import type { PersistenceService } from '../persistence-service.fixture.js';

describe('a batch that is not written', () => {
  const embeddings = new EmbeddingServer();
  let database: TestDatabase;
  let superuser: pg.Pool;
  let service: PersistenceService;
  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = createTestPool({
      connectionString: database.admin.url,
      options: '-c search_path=annals,public',
      max: 1,
    });
    service = await embeddings.startService(database, {});
  });
  afterAll(async () => {
    await service?.stop();
    await embeddings.stop();
    await superuser?.end();
    await database?.drop();
  });

  const countBatches = async (state: string) => {
    const { body } = await service.running.infrastructure.metrics.render();
    const value = new RegExp(`^memory_llm_batches_total\\{state="${state}"\\} (\\d+)$`, 'm').exec(body)?.[1];
    return Number(value);
  };

  const rollbacks = () => service.eventsNamed('persistence_batch_rollback').map(({ context }) => context['reason']);

  /** The batch of a user whose writes are rolled back until `release`. */
  async function holdBack(userId: string): Promise<{ readonly id: string; release(): Promise<void> }> {
    service.lines.length = 0;
    await superuser.query(`CREATE FUNCTION annals.refuse_link() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = 'serialization_failure'; END $$`);
    await superuser.query(
      'CREATE TRIGGER refuse_link BEFORE INSERT ON annals.history FOR EACH ROW EXECUTE FUNCTION annals.refuse_link()',
    );
    const id = await service.extract({ userId, items: [{ content: 'The user is fond of coffee.' }] });
    await waitUntil(() => rollbacks().includes('transient'), { describe: 'the write was rolled back' });
    return { id, release: async () => void (await superuser.query('DROP FUNCTION annals.refuse_link() CASCADE')) };
  }

  it('counts as erased, and not as failed, when its user was erased after its messages were accepted', async () => {
    const { id, release } = await holdBack('ana');
    await superuser.query(`UPDATE users SET erased_at = now() + interval '1 hour' WHERE user_id = 'ana'`);
    await release();
    await waitUntil(async () => (await countBatches('erased')) === 1, { describe: 'the batch counts as erased' });
    const [batch] = await service.inTenant((tx) => getBatches(tx, [id]));
    expect(batch).toMatchObject({ status: 'failed', error: { code: 'erased' } });
    expect(await countBatches('failed')).toBe(0);
  });

  it('waits while the history of its user is of another secret key, and the log names that reason', async () => {
    const { id, release } = await holdBack('ben');
    await superuser.query(`UPDATE users SET pseudonym = 'pseudonym:' || repeat('0', 64) WHERE user_id = 'ben'`);
    await release();
    await waitUntil(() => rollbacks().includes('secret_key'), { describe: 'the log names the secret key' });
    await superuser.query(`UPDATE users SET pseudonym = NULL WHERE user_id = 'ben'`);
    await service.waitUntilDone(id);
  });
});
