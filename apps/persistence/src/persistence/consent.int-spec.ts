import { createEmbeddingProvider } from '@annals/llm-core';
import { getUserContext, listProposals } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { PersistenceService } from './persistence-service.fixture.js';

describe('consent in a conversation', () => {
  let database: TestDatabase;
  let service: PersistenceService;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await PersistenceService.start(database, createEmbeddingProvider({ provider: 'hashed' }));
  });
  afterAll(async () => {
    await service?.stop();
    await database.drop();
  });

  const writeMessage = (userId: string, message: string, content = 'The user talks.') =>
    service.writeStatement(userId, content, { message: `${message} What was said.` });
  const readContext = async (userId: string) => {
    const now = service.running.infrastructure.clock.now();
    const [context, { items }] = await service.inTenant(
      async (tx) => [await getUserContext(tx, userId), await listProposals(tx, userId, { limit: 50 }, now)] as const,
    );
    return { context, proposals: items.map(({ field, value, state }) => `${state} ${field}=${value}`).toSorted() };
  };
  const readDecisions = (userId: string) =>
    service.inTenant(async (tx) => {
      const rows = await tx.query<{ decision: string }>(
        `SELECT meta->>'decision' AS decision FROM history WHERE user_id = $1 AND event = 'CONSENT' ORDER BY seq`,
        [userId],
      );
      return rows.map(({ decision }) => decision);
    });

  it('is applied when the batch is written, together with signals of its memories', async () => {
    await writeMessage('ana', 'My name is Ana.', 'The user lives in Lisbon.');
    expect(await readContext('ana')).toMatchObject({
      context: { revision: 0, preferred_name: null, city: null },
      proposals: ['pending city=Lisbon', 'pending preferred_name=Ana'],
    });
    await writeMessage('ana', 'Yes, call me Ana.');
    expect(await readContext('ana')).toMatchObject({
      context: { revision: 1, preferred_name: 'Ana', city: null },
      proposals: ['accepted preferred_name=Ana', 'pending city=Lisbon'],
    });
    expect(await readDecisions('ana')).toEqual(['applied']);
  });

  it('ignores quarantined memories', async () => {
    const batchId = await service.extract({
      userId: 'bob',
      items: [{ content: 'The user lives in Porto.', quarantineReason: 'quote_not_found' }],
    });
    await service.waitUntilDone(batchId);
    expect(await readContext('bob')).toMatchObject({ context: { revision: 0 }, proposals: [] });
  });

  it('is counted once for a batch that is delivered twice', async () => {
    const { id: batchId } = await writeMessage('cleo', 'My goal is to run a marathon.');
    const { ids, relay, clock } = service.running.infrastructure;
    await service.inTenant(async (tx) => {
      await tx.execute(`UPDATE batches SET state = 'persisting', generation = generation + 1 WHERE id = $1`, [batchId]);
      await tx.execute(
        `INSERT INTO work (id, kind, subject_id, generation, available_at, rank_at, created_at)
         SELECT $1, 'persistence', id, generation, $2, $2, $2 FROM batches WHERE id = $3`,
        [ids.next(), new Date(clock.now()), batchId],
      );
    });
    relay.kick();
    await service.waitUntilDone(batchId);
    expect(await readContext('cleo')).toMatchObject({
      context: { goals: [] },
      proposals: ['pending goals_add=run a marathon'],
    });
    await writeMessage('cleo', 'My goal is to run a marathon.');
    expect(await readContext('cleo')).toMatchObject({ context: { goals: ['run a marathon'] } });
  });
});
