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

  const hear = (userId: string, words: string, content = 'The user talks.') =>
    service.say(userId, content, { words: `${words} What was said.` });
  const look = async (userId: string) => {
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

  it('is heard when the batch is written, together with what memories tell', async () => {
    await hear('ana', 'My name is Ana.', 'The user lives in Lisbon.');
    expect(await look('ana')).toMatchObject({
      context: { revision: 0, preferred_name: null, city: null },
      proposals: ['pending city=Lisbon', 'pending preferred_name=Ana'],
    });
    await hear('ana', 'Yes, call me Ana.');
    expect(await look('ana')).toMatchObject({
      context: { revision: 1, preferred_name: 'Ana', city: null },
      proposals: ['accepted preferred_name=Ana', 'pending city=Lisbon'],
    });
    expect(await readDecisions('ana')).toEqual(['applied']);
  });

  it('takes nothing from a memory that is quarantined', async () => {
    const batchId = await service.extract({
      userId: 'bob',
      items: [{ content: 'The user lives in Porto.', quarantineReason: 'quote_not_found' }],
    });
    await service.waitUntilDone(batchId);
    expect(await look('bob')).toMatchObject({ context: { revision: 0 }, proposals: [] });
  });

  it('counts a batch that is delivered twice once', async () => {
    const { id: batchId } = await hear('cleo', 'My goal is to run a marathon.');
    const { ids, relay, clock } = service.running.infrastructure;
    await service.inTenant(async (tx) => {
      await tx.execute(`UPDATE batches SET state = 'persisting', generation = generation + 1 WHERE id = $1`, [batchId]);
      await tx.execute(
        `INSERT INTO outbox (id, queue, batch_id, generation, available_at, rank_at, created_at)
         SELECT $1, 'persistence', id, generation, $2, $2, $2 FROM batches WHERE id = $3`,
        [ids.next(), new Date(clock.now()), batchId],
      );
    });
    relay.kick();
    await service.waitUntilDone(batchId);
    expect(await look('cleo')).toMatchObject({
      context: { goals: [] },
      proposals: ['pending goals_add=run a marathon'],
    });
    await hear('cleo', 'My goal is to run a marathon.');
    expect(await look('cleo')).toMatchObject({ context: { goals: ['run a marathon'] } });
  });
});
