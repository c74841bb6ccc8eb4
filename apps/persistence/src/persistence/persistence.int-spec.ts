import type { ExtractedItem } from '@annals/contracts';
import { createEmbeddingProvider, type EmbeddingProvider } from '@annals/llm-core';
import { createInfrastructure, createProcessContext, type RunningService, startService } from '@annals/runtime';
import {
  acceptMessages,
  claimBatch,
  completeExtraction,
  createTenant,
  ensureTenant,
  getBatches,
  listMemories,
  loadBatchConversation,
  readUsage,
  setTenantBudget,
  type Tx,
} from '@annals/storage';
import { createTestDatabase, type TestDatabase, waitUntil } from '@annals/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVectorJob } from '../maintenance/vector-job.js';
import { ContentEmbedder } from './content-embedder.js';
import { PersistenceModule } from './persistence.module.js';

/** An embedding server that counts its calls and answers, or refuses, as a test wants. */
class EmbeddingServer {
  readonly inputs: string[][] = [];
  status = 200;
  /** Runs before the next answer goes out. */
  onRequest: () => Promise<unknown> = async () => undefined;
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      this.inputs.push(input);
      void this.onRequest().then(() => {
        response.writeHead(this.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(this.status === 200 ? answer(input) : { error: { message: 'no' } }));
      });
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function answer(input: readonly string[]) {
  const vector = Buffer.from(Float32Array.from([1, 0, 0, 0]).buffer).toString('base64');
  return {
    object: 'list',
    model: 'test-embedding',
    data: input.map((_, index) => ({ object: 'embedding', index, embedding: vector })),
    usage: { prompt_tokens: 11, total_tokens: 11 },
  };
}

describe('the persistence service', () => {
  const lines: string[] = [];
  const context = createProcessContext({
    name: 'persistence',
    version: '0',
    logLevel: 'info',
    logDestination: { write: (line) => void lines.push(line) },
    processMetrics: false,
  });
  const { ids, clock } = context;
  const embeddings = new EmbeddingServer();
  let database: TestDatabase;
  let embedder: EmbeddingProvider;
  let service: RunningService;
  let tenantId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    embedder = createEmbeddingProvider({
      provider: 'openai',
      baseUrl: await embeddings.start(),
      apiKey: 'key',
      model: 'text-embedding-3-small',
      dimensions: 4,
      timeoutMs: 5_000,
      clock,
    });
    service = await startService(
      {
        context,
        config: {
          workers: { extractionConcurrency: 1, persistenceConcurrency: 4, leaseMs: 5_000, healthPort: 0 },
          retention: {
            ttlMs: 1e10,
            keptImportance: 3,
            purgeAfterMs: 1e10,
            eventsKeptMs: 1e10,
            intervalMs: 3_600_000,
          },
          llm: { primary: 'local', chain: [], timeoutMs: 5_000, maxOutputTokens: 4_096, streaming: false },
          checkpoints: { keepMs: 1e10 },
        },
        place: { host: '127.0.0.1', port: 0, portVariable: 'ANNALS_HEALTH_PORT' },
        shutdownTimeoutMs: 10_000,
        connect: () =>
          createInfrastructure(context, {
            stores: { database: database.app, queue: database.queue },
            secretKey: 's'.repeat(32),
            relay: { releasePerTenant: 64, sweepIntervalMs: 60_000, sweepAfterMs: 60_000 },
            traced: false,
            models: {
              spending: { deploymentMicroUsd: 1_000_000, tenantMicroUsd: null, providersMicroUsd: {} },
              models: [],
              breaker: { minAttempts: 5 },
            },
          }),
        modules: [PersistenceModule.forRoot({ embedder, providers: [] })],
        consumes: ['persistence'],
        queueNeed: 'required',
      },
      new AbortController().signal,
    );
    tenantId = await ensureTenant(service.infrastructure.database, 'default', { ids, now: clock.now() });
  });
  beforeEach(() => {
    lines.length = 0;
    embeddings.inputs.length = 0;
    embeddings.status = 200;
    embeddings.onRequest = async () => undefined;
  });
  afterAll(async () => {
    await service?.stop('the test is over');
    await embeddings.stop();
    await database.drop();
  });

  const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    service.infrastructure.database.inTenant(tenantId, work);

  /** A batch of one message, extracted: persistence finds it in the outbox. */
  const extract = async (userId: string, items: (messageId: string) => ExtractedItem[]): Promise<string> => {
    const now = clock.now();
    const message = { externalId: null, role: 'user' as const, actorId: null, contentHmac: Buffer.alloc(32) };
    const batchId = await inTenant(async (tx) => {
      const { batchIds } = await acceptMessages(
        tx,
        {
          userId,
          threadId: ids.next(),
          agentId: null,
          runId: null,
          appId: null,
          messages: [{ ...message, content: 'I like tea and I live in Rome.', saidAt: now - 5_000 }],
          end: false,
          flush: true,
          priority: 'interactive',
          // Not due before the batch is extracted.
          now: now + 60_000,
          windowMs: 0,
          maxMessages: 50,
          trace: null,
        },
        ids,
      );
      return batchIds[0]!;
    });
    await inTenant(async (tx) => {
      const claim = await claimBatch(tx, { batchId, generation: 1, queue: 'extraction', now, leaseMs: 5_000 });
      if (claim.outcome !== 'claimed') throw new Error(`The batch is ${claim.outcome}.`);
      const { messages } = await loadBatchConversation(tx, batchId, { contextMessages: 0 });
      await completeExtraction(
        tx,
        {
          batchId,
          fence: claim.fence,
          now,
          provider: 'local',
          model: 'rules',
          notice: null,
          answer: '{}',
          items: items(messages[0]!.id),
          settlement: null,
          promptVersion: null,
          diagnostics: null,
          prunedMessages: 0,
          trace: null,
        },
        ids,
      );
    });
    service.infrastructure.relay.kick();
    return batchId;
  };
  const waitUntilDone = (id: string) =>
    waitUntil(
      async () => {
        const [batch] = await inTenant((tx) => getBatches(tx, [id]));
        return batch?.status === 'done' ? batch : undefined;
      },
      { describe: 'the batch is done', timeoutMs: 20_000 },
    );
  const memoriesOf = async (userId: string) =>
    (
      await inTenant((tx) =>
        listMemories(
          tx,
          { user_id: userId, state: 'active', limit: 50, include_superseded: false },
          { categories: null },
        ),
      )
    ).items;
  const item = (
    content: string,
    messageId: string,
    quote: string,
    more: Partial<ExtractedItem> = {},
  ): ExtractedItem => ({
    content,
    category: 'facts',
    type: 'semantic',
    importance: 2,
    confidence: 0.8,
    evidence: [{ message_id: messageId, quote }],
    ...more,
  });
  const eventsNamed = (event: string) =>
    lines.map((line) => JSON.parse(line) as { event: string }).filter((line) => line.event === event);

  it('writes a batch with its sources in one go, embedded by one call', async () => {
    const id = await extract('ada', (message) => [
      item('The user likes tea.', message, 'I like tea'),
      item('The user lives in Rome.', message, 'I live in Rome'),
      item('The user is rich.', message, 'rich', { quarantineReason: 'quote_not_found', evidence: [] }),
    ]);
    expect(await waitUntilDone(id)).toMatchObject({ inserted: 2, updated: 0, skipped_duplicate: 0, quarantined: 1 });
    expect(embeddings.inputs).toEqual([['The user likes tea.', 'The user lives in Rome.']]);
    const memories = await memoriesOf('ada');
    expect(memories.map(({ content }) => content).toSorted()).toEqual([
      'The user likes tea.',
      'The user lives in Rome.',
    ]);
    expect(eventsNamed('persistence_batch_commit')).toMatchObject([
      { context: { batchSize: 3, inserted: 2, updated: 0, skipped_duplicate: 0 } },
    ]);
    expect(lines.join('')).not.toMatch(/tea|Rome/);
  });

  it('changes nothing when the same is said again, and buys no vector twice', async () => {
    const say = () => extract('bob', (message) => [item('The user likes coffee.', message, 'I like tea')]);
    await waitUntilDone(await say());
    const again = await waitUntilDone(await say());
    expect(again).toMatchObject({ inserted: 0, updated: 0, skipped_duplicate: 1 });
    expect(embeddings.inputs).toEqual([['The user likes coffee.']]);
    expect(await memoriesOf('bob')).toHaveLength(1);
  });

  it('finishes a batch in which nothing was found', async () => {
    const id = await extract('eve', () => []);
    expect(await waitUntilDone(id)).toMatchObject({ inserted: 0 });
    expect(embeddings.inputs).toEqual([]);
  });

  it('tries again when the embedding server is away for a moment', async () => {
    embeddings.status = 503;
    const id = await extract('cid', (message) => [item('The user likes milk.', message, 'I like tea')]);
    await waitUntil(() => embeddings.inputs.length > 0, { describe: 'the server was asked' });
    embeddings.status = 200;
    expect(await waitUntilDone(id)).toMatchObject({ inserted: 1 });
    expect(eventsNamed('embeddings_degraded')).toEqual([]);
  });

  it('charges a batch for its vectors, also when it was not written in the end', async () => {
    const id = await extract('fay', (message) => [item('The user likes juice.', message, 'I like tea')]);
    // 11 tokens at 0.02 USD a million, rounded up.
    expect(await waitUntilDone(id)).toMatchObject({ cost_micro_usd: 1 });
    const usage = await inTenant((tx) =>
      readUsage(tx, { from: '2020-01-01', to: '2100-01-01', groupBy: 'call', limit: 200 }),
    );
    const call = usage.items.find(({ batchId }) => batchId === id);
    expect(call).toMatchObject({ operation: 'embedding', outcome: 'ok', userId: 'fay', inputTokens: 11 });

    // Another worker takes the batch while its vectors are made.
    embeddings.onRequest = () =>
      inTenant((tx) => tx.execute(`UPDATE batches SET fence = fence + 1 WHERE user_id = 'gus'`));
    const stolen = await extract('gus', (message) => [item('The user likes soda.', message, 'I like tea')]);
    const charged = await waitUntil(
      async () => {
        const [batch] = await inTenant((tx) => getBatches(tx, [stolen]));
        return batch?.cost_micro_usd === 0 ? undefined : batch;
      },
      { describe: 'the batch is charged', timeoutMs: 20_000 },
    );
    expect(charged).toMatchObject({ cost_micro_usd: 1, status: 'persisting' });
  });

  it('writes memories without vectors when a budget has no room, and says why', async () => {
    const { database: stores } = service.infrastructure;
    const poor = ids.next();
    await createTenant(stores, { id: poor, name: 'poor', now: clock.now() });
    await stores.inTenant(poor, (tx) => setTenantBudget(tx, 1, clock.now()));
    const rich = tenantId;
    tenantId = poor;
    try {
      const id = await extract('hal', (message) => [item('The user likes broth. '.repeat(9), message, 'I like tea')]);
      expect(await waitUntilDone(id)).toMatchObject({ inserted: 1, cost_micro_usd: 0 });
    } finally {
      tenantId = rich;
    }
    expect(embeddings.inputs).toEqual([]);
    expect(eventsNamed('embeddings_degraded')).toMatchObject([{ context: { reason: 'budget_exceeded' } }]);
    expect(eventsNamed('budget_rejection')).toMatchObject([{ context: { tenantId: poor, scope: 'tenant' } }]);
  });

  it('writes memories without vectors when the embedding server refuses its key', async () => {
    embeddings.status = 401;
    const id = await extract('dan', (message) => [item('The user likes water.', message, 'I like tea')]);
    expect(await waitUntilDone(id)).toMatchObject({ inserted: 1 });
    expect(eventsNamed('embeddings_degraded')).toMatchObject([{ context: { reason: 'authentication' } }]);
  });

  it('makes the vectors that are missing later, for every tenant that can pay, and none twice', async () => {
    const { infrastructure } = service;
    const job = createVectorJob(
      new ContentEmbedder(embedder, infrastructure.modelCalls, infrastructure.database, clock, infrastructure.metrics),
    );
    const run = () =>
      job.run({
        database: infrastructure.database,
        clock,
        signal: new AbortController().signal,
        cursor: null,
        budgetMs: 60_000,
      });
    const countMissing = async () => {
      const rows = await inTenant((tx) =>
        tx.query(
          `SELECT 1 FROM memories m LEFT JOIN memory_embeddings e ON e.memory_id = m.id
            WHERE m.state = 'active' AND e.model IS NULL`,
        ),
      );
      return rows.length;
    };
    embeddings.status = 401;
    await extract('dan', (message) => [item('The user likes lemonade.', message, 'I like tea')]).then(waitUntilDone);
    const missing = await countMissing();
    expect(missing).toBeGreaterThan(0);
    await expect(run()).rejects.toMatchObject({ name: 'LLMError' });
    expect(await countMissing()).toBe(missing);
    embeddings.status = 200;
    embeddings.inputs.length = 0;
    expect(await run()).toMatchObject({ done: missing, cursor: null, problem: { type: 'budget_exceeded' } });
    expect(await countMissing()).toBe(0);
    expect(embeddings.inputs.flat()).toContain('The user likes lemonade.');
    embeddings.inputs.length = 0;
    expect(await run()).toMatchObject({ done: 0, cursor: null });
    expect(embeddings.inputs).toEqual([]);
  });
});
