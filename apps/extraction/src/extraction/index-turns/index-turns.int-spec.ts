import { analyzeQuery } from '@annals/domain';
import { findCandidates, findUnindexed } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase, waitUntil } from '@annals/testing';
import pg from 'pg';
import { describeModels, ExtractionService } from '../extraction-service.fixture.js';

describe('turns of a batch', () => {
  let models: FakeModels;
  let database: TestDatabase;
  let service: ExtractionService;

  beforeAll(async () => {
    models = await startFakeModels();
  });
  beforeEach(async () => {
    models.outage(false);
    database = await createTestDatabase();
  });
  afterEach(async () => {
    models.outage(false);
    await service?.stop();
    await database?.drop();
  });
  afterAll(() => models?.close());

  const start = async (env: Record<string, string> = {}) => {
    service = await ExtractionService.start({ database, env: { ...describeModels(models), ...env } });
  };

  async function recall(question: string): Promise<string[]> {
    const now = service.clock.now();
    const search = {
      userId: 'ada',
      queryVector: null,
      model: 'none',
      query: analyzeQuery(question, { now }),
      filters: { user_id: 'ada' },
      categories: null,
      types: null,
      asOf: null,
      knownAt: null,
      now,
      limit: 10,
    };
    const { candidates } = await service.database.readTenant(service.tenantId, (tx) => findCandidates(tx, search));
    return candidates.map(({ content }) => content);
  }

  const indexedUnits = () =>
    service.inTenant((tx) => tx.query<{ message_id: string }>('SELECT message_id FROM lexical_units ORDER BY unit'));

  it.each<[string, Record<string, string>]>([
    ['no remote model is called', { MEMORY_LLM_PRIMARY: 'local' }],
    ['the model is down', { MEMORY_LLM_PRIMARY: 'claude' }],
    ['the budget allows no call', { MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_DAILY_BUDGET_USD: '0.000001' }],
  ])('are indexed when %s', async (_case, env) => {
    await start(env);
    models.outage(true);
    await service.post([
      ['user', 'I moved to Lisbon with my parrot.'],
      ['assistant', 'What is its name?'],
    ]);
    await waitUntil(async () => ((await indexedUnits()).length === 2 ? true : undefined), {
      describe: 'both turns are indexed',
    });
    expect(await recall('parrot')).toContain('I moved to Lisbon with my parrot.');
    expect(await findUnindexed(service.database, { limit: 10, now: service.clock.now() + 3_600_000 })).toEqual([]);
  });

  it('are indexed by the index job, without losing the answer, when indexing fails during extraction', async () => {
    const owner = new pg.Client({ connectionString: database.admin.url });
    await owner.connect();
    await owner.query(
      `CREATE FUNCTION annals.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE 'The index is broken.'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON annals.lexical_units EXECUTE FUNCTION annals.refuse()`,
    );
    await owner.end();
    await start({ MEMORY_LLM_PRIMARY: 'claude' });
    models.journal.clear();
    const id = await service.post([['user', 'I moved to Lisbon with my parrot.']]);
    await service.waitFor(id, 'persisting');
    await waitUntil(() => Promise.resolve(service.listEvents('service_failed', 'job_unexpected_error').length > 0), {
      describe: 'the error is logged',
    });
    expect(await service.read(id)).toMatchObject({ status: 'persisting', error: null });
    expect(models.journal.generated).toHaveLength(1);
    const unindexed = await findUnindexed(service.database, { limit: 10, now: service.clock.now() + 3_600_000 });
    expect(unindexed).toEqual([expect.objectContaining({ batchId: id })]);
  });
});
