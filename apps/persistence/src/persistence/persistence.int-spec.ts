import { createTenant, getBatches, listEvents, readUsage, setTenantBudget } from '@annals/storage';
import { createTestDatabase, type TestDatabase, waitUntil } from '@annals/testing';
import { EmbeddingServer } from './embed/embedding-server.fixture.js';
import type { PersistenceService } from './persistence-service.fixture.js';

describe('the persistence service', () => {
  const embeddings = new EmbeddingServer();
  let database: TestDatabase;
  let service: PersistenceService;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await embeddings.startService(database, { ANNALS_PERSISTENCE_CONCURRENCY: '4' });
  });
  beforeEach(() => {
    service.lines.length = 0;
    embeddings.inputs.length = 0;
    embeddings.status = 200;
    embeddings.onRequest = async () => undefined;
  });
  afterAll(async () => {
    await service?.stop();
    await embeddings.stop();
    await database.drop();
  });

  it('records what it did with a batch as events of its thread, in one statement', async () => {
    const conversation = { userId: 'events', threadId: 'a thread' };
    const stages = [
      [
        { content: 'The user is fond of coffee.', category: 'preferences' },
        { content: 'The user flew a kite.', category: 'event', type: 'episodic' },
      ],
      // The server embeds all statements alike.
      [{ content: 'The user had a kite in the air.', category: 'event', type: 'episodic' }],
      [],
    ] as const;
    const listed: string[][] = [];
    for (const items of stages) {
      const id = await service.extract({ ...conversation, items });
      await service.waitUntilDone(id);
      const page = await service.inTenant((tx) =>
        listEvents(tx, { thread_id: 'a thread', limit: 100 }, { userId: null, categories: null }),
      );
      const events = page.items.toReversed().slice(listed.flat().length);
      expect(new Set(events.map(({ user_id }) => user_id))).toEqual(new Set(['events']));
      listed.push(events.map(({ node, op, status, category, sim }) => [node, op, status, category, sim].join(' ')));
    }
    expect(listed).toEqual([
      [
        'hotpath classify ok  ',
        'hotpath search skipped  ',
        'hotpath create ok preferences ',
        'episodic create ok event ',
        'episodic link ok event 1',
      ],
      ['hotpath classify ok event ', 'hotpath search ok event 1', 'episodic merge ok event 1'],
      ['hotpath classify skipped  '],
    ]);
    // Rows of one statement have the same transaction and the same command.
    const [row] = await service.inTenant((tx) =>
      tx.query(`SELECT count(DISTINCT (xmin::text, cmin::text))::integer AS statements FROM events
                 WHERE user_id = 'events'`),
    );
    expect(row).toEqual({ statements: stages.length });
  });

  it('writes a batch with its sources in one transaction, embedded with one call', async () => {
    const id = await service.extract({
      userId: 'ada',
      message: 'I like tea and I live in Rome. What was said.',
      items: [
        { content: 'The user likes tea.' },
        { content: 'The user lives in Rome.' },
        { content: 'The user is rich.', quarantineReason: 'quote_not_found', evidence: [] },
      ],
    });
    expect(await service.waitUntilDone(id)).toMatchObject({
      inserted: 2,
      updated: 0,
      skipped_duplicate: 0,
      quarantined: 1,
    });
    expect(embeddings.inputs).toEqual([['The user likes tea.', 'The user lives in Rome.']]);
    const memories = await service.listMemories('ada');
    expect(memories.map(({ content }) => content).toSorted()).toEqual([
      'The user likes tea.',
      'The user lives in Rome.',
    ]);
    expect(service.eventsNamed('persistence_batch_commit')).toMatchObject([
      { context: { batchSize: 3, inserted: 2, updated: 0, skipped_duplicate: 0 } },
    ]);
    expect(service.lines.join('')).not.toMatch(/tea|Rome/);
  });

  it('changes nothing for a repeated statement, and embeds nothing twice', async () => {
    await service.writeStatement('bob', 'The user likes coffee.');
    const again = await service.writeStatement('bob', 'The user likes coffee.');
    expect(again).toMatchObject({ inserted: 0, updated: 0, skipped_duplicate: 1 });
    expect(embeddings.inputs).toEqual([['The user likes coffee.']]);
    expect(await service.listMemories('bob')).toHaveLength(1);
  });

  it('completes a batch without memories', async () => {
    const id = await service.extract({ userId: 'eve', items: [] });
    expect(await service.waitUntilDone(id)).toMatchObject({ inserted: 0 });
    expect(embeddings.inputs).toEqual([]);
  });

  it('retries when the embedding server is temporarily unavailable', async () => {
    embeddings.status = 503;
    const id = await service.extract({ userId: 'cid', items: [{ content: 'The user likes milk.' }] });
    await waitUntil(() => embeddings.inputs.length > 0, { describe: 'the server was called' });
    embeddings.status = 200;
    expect(await service.waitUntilDone(id)).toMatchObject({ inserted: 1 });
    expect(service.eventsNamed('embeddings_degraded')).toEqual([]);
  });

  it('charges a batch for its vectors, even when it is not written', async () => {
    const id = await service.extract({ userId: 'fay', items: [{ content: 'The user likes juice.' }] });
    // 11 tokens at 0.02 USD per million tokens, rounded up.
    expect(await service.waitUntilDone(id)).toMatchObject({ cost_micro_usd: 1 });
    const usage = await service.inTenant((tx) =>
      readUsage(tx, { from: '2020-01-01', to: '2100-01-01', groupBy: 'call', limit: 200 }),
    );
    const call = usage.items.find(({ batchId }) => batchId === id);
    expect(call).toMatchObject({ operation: 'embedding', outcome: 'ok', userId: 'fay', inputTokens: 11 });

    // Another worker takes the batch over during the embedding call.
    embeddings.onRequest = () =>
      service.inTenant((tx) => tx.execute(`UPDATE batches SET fence = fence + 1 WHERE user_id = 'gus'`));
    const stolen = await service.extract({ userId: 'gus', items: [{ content: 'The user likes soda.' }] });
    const charged = await waitUntil(
      async () => {
        const [batch] = await service.inTenant((tx) => getBatches(tx, [stolen]));
        return batch?.cost_micro_usd === 0 ? undefined : batch;
      },
      { describe: 'the batch is charged' },
    );
    expect(charged).toMatchObject({ cost_micro_usd: 1, status: 'persisting' });
  });

  it('writes memories without vectors when a budget is exhausted, and logs the reason', async () => {
    const { database: stores, ids, clock } = service.running.infrastructure;
    const poor = service.asTenant(ids.next());
    await createTenant(stores, { id: poor.tenantId, name: 'poor', now: clock.now() });
    await poor.inTenant((tx) => setTenantBudget(tx, 1, clock.now()));
    const batch = await poor.writeStatement('hal', 'The user likes broth. '.repeat(9));
    expect(batch).toMatchObject({ inserted: 1, cost_micro_usd: 0 });
    expect(embeddings.inputs).toEqual([]);
    expect(service.eventsNamed('embeddings_degraded')).toMatchObject([{ context: { reason: 'budget_exceeded' } }]);
    // The work that asks for the vectors again may have been refused by now, too.
    const refusals = service.eventsNamed('budget_rejection').map(({ context }) => context);
    expect(refusals).not.toEqual([]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ tenantId: poor.tenantId, scope: 'tenant' });
  });

  it('writes memories without vectors when the embedding server refuses its key', async () => {
    embeddings.status = 401;
    expect(await service.writeStatement('dan', 'The user likes water.')).toMatchObject({ inserted: 1 });
    expect(service.eventsNamed('embeddings_degraded')).toMatchObject([{ context: { reason: 'authentication' } }]);
  });
});
