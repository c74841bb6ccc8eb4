import { type ExtractedMemory, RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { LLMError, type LLMProvider, type LLMRequest, type LLMResponse } from '@annals/llm-core';
import { createInfrastructure, createProcessContext, type RunningService, startService } from '@annals/runtime';
import { acceptMessages, ensureTenant, getBatches, loadExtraction } from '@annals/storage';
import { createTestDatabase, type TestDatabase, waitUntil } from '@annals/testing';
import { ExtractionModule } from './extraction.module.js';

/** A model whose next answers a test decides. */
class ScriptedProvider implements LLMProvider {
  readonly name = 'local';
  readonly requests: LLMRequest[] = [];
  answer: (request: LLMRequest) => Promise<ExtractedMemory[]> = () => Promise.resolve([]);

  async send(request: LLMRequest): Promise<LLMResponse> {
    this.requests.push(request);
    const memories = await this.answer(request);
    return {
      text: JSON.stringify({ schemaVersion: RESPONSE_SCHEMA_VERSION, memories }),
      provider: this.name,
      model: 'scripted',
      usage: { inputTokens: 10, outputTokens: 5 },
      finishReason: 'stop',
      costMicroUsd: 7,
      notice: 'A notice.',
    };
  }
  countTokens = () => Promise.resolve(1);
  getCapabilities = () => ({
    streaming: false,
    remote: false,
    languages: ['en'],
    maxInputTokens: 1_000,
    maxOutputTokens: 1_000,
  });
  estimateCost = () => 0;
  validateConfig = () => Promise.resolve(true);
}

const memory = (content: string, messageId: string, quote: string): ExtractedMemory => ({
  content,
  category: 'facts',
  type: 'semantic',
  importance: 2,
  evidence: [{ message_id: messageId, quote }],
});

describe('the extraction service', () => {
  const lines: string[] = [];
  const context = createProcessContext({
    name: 'extraction',
    version: '0',
    logLevel: 'debug',
    logDestination: { write: (line) => void lines.push(line) },
    processMetrics: false,
  });
  const { ids, clock } = context;
  const provider = new ScriptedProvider();
  let database: TestDatabase;
  let service: RunningService;
  let tenantId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startService(
      {
        context,
        config: { workers: { extractionConcurrency: 4, persistenceConcurrency: 1, leaseMs: 5_000, healthPort: 0 } },
        place: { host: '127.0.0.1', port: 0, portVariable: 'ANNALS_HEALTH_PORT' },
        shutdownTimeoutMs: 10_000,
        connect: () =>
          createInfrastructure(context, {
            stores: { database: database.app, queue: database.queue },
            secretKey: 's'.repeat(32),
            relay: { releasePerTenant: 64, sweepIntervalMs: 60_000, sweepAfterMs: 60_000 },
            traced: false,
          }),
        modules: [ExtractionModule.forRoot({ provider })],
        consumes: ['extraction'],
        queueNeed: 'required',
      },
      new AbortController().signal,
    );
    tenantId = await ensureTenant(service.infrastructure.database, 'default', { ids, now: clock.now() });
  });
  beforeEach(() => {
    provider.requests.length = 0;
    lines.length = 0;
  });
  afterAll(async () => {
    await service?.stop('the test is over');
    await database.drop();
  });

  const inTenant: typeof service.infrastructure.database.inTenant = (tenant, work) =>
    service.infrastructure.database.inTenant(tenant, work);
  const readBatch = async (id: string) => (await inTenant(tenantId, (tx) => getBatches(tx, [id])))[0];
  const post = async (...messages: ['user' | 'assistant' | 'system' | 'tool', string][]): Promise<string> => {
    const { batchIds } = await inTenant(tenantId, (tx) =>
      acceptMessages(
        tx,
        {
          userId: 'ada',
          threadId: ids.next(),
          agentId: null,
          runId: null,
          appId: null,
          messages: messages.map(([role, content]) => ({
            externalId: null,
            role,
            actorId: null,
            content,
            contentHmac: Buffer.alloc(32),
            saidAt: clock.now(),
          })),
          end: false,
          flush: true,
          priority: 'interactive',
          now: clock.now(),
          windowMs: 0,
          maxMessages: 50,
          trace: null,
        },
        ids,
      ),
    );
    service.infrastructure.relay.kick();
    return batchIds[0]!;
  };
  const waitForState = (id: string, state: string) =>
    waitUntil(
      async () => {
        const batch = await readBatch(id);
        return batch?.status === state ? batch : undefined;
      },
      { describe: `the batch is ${state}`, timeoutMs: 20_000 },
    );
  const events = () => lines.map((line) => (JSON.parse(line) as { event: string }).event);

  it('commits what the model found, grounded and in order, and passes the batch on', async () => {
    provider.answer = async ({ conversation: { messages } }) => [
      memory('The user has a cat.', messages[1]!.id, 'my cat'),
      memory('The user moved.', messages[0]!.id, 'I moved'),
      memory('The user is rich.', messages[0]!.id, 'I am rich'),
    ];
    const id = await post(['user', 'I moved to Berlin.'], ['assistant', 'Oh!'], ['user', 'And my cat came along.']);
    expect(await waitForState(id, 'persisting')).toMatchObject({
      provider: 'local',
      model: 'scripted',
      notice: 'A notice.',
      tokens: { input: 10, output: 5 },
      cost_micro_usd: 7,
    });
    const extraction = await inTenant(tenantId, (tx) => loadExtraction(tx, id));
    expect(extraction?.items.map(({ content, quarantineReason }) => [content, quarantineReason])).toEqual([
      ['The user moved.', undefined],
      ['The user has a cat.', undefined],
      ['The user is rich.', 'quote_not_found'],
    ]);
    expect(extraction?.costMicroUsd).toBe(7);
  });

  it('shows the model no system or tool text', async () => {
    provider.answer = () => Promise.resolve([]);
    const id = await post(['system', 'be kind'], ['user', 'hello'], ['tool', '{"x":1}'], ['assistant', 'hi']);
    await waitForState(id, 'persisting');
    const { messages, context: shown } = provider.requests[0]!.conversation;
    expect([messages, shown].map((part) => part.map(({ content }) => content))).toEqual([['hello'], ['hi']]);
  });

  it('asks no model when no user said anything', async () => {
    const id = await post(['assistant', 'Is anybody there?']);
    await waitForState(id, 'persisting');
    expect(provider.requests).toEqual([]);
    expect(await inTenant(tenantId, (tx) => loadExtraction(tx, id))).toMatchObject({ items: [] });
  });

  it('tries again after trouble, without waiting for its own lease', async () => {
    let failures = 1;
    provider.answer = () => {
      if (failures-- > 0) return Promise.reject(new LLMError('transient', 'The provider is away.'));
      return Promise.resolve([]);
    };
    const id = await post(['user', 'hello']);
    await waitForState(id, 'persisting');
    expect(provider.requests).toHaveLength(2);
    expect(events()).toContain('provider_call_error');
  });

  it('fails a batch at once that no retry can mend, with a code and a sentence', async () => {
    provider.answer = () => Promise.reject(new LLMError('authentication', 'The key was refused.'));
    const id = await post(['user', 'hello']);
    expect((await waitForState(id, 'failed')).error).toEqual({
      code: 'authentication',
      message: "The provider refused its key. Correct the provider's key, then replay the batch.",
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('tells its calls in the words of the LLM specification, and nobody’s own words', async () => {
    provider.answer = async ({ conversation: { messages } }) => [memory('X.', messages[0]!.id, 'zebra')];
    const id = await post(['user', 'a zebra in the garden']);
    await waitForState(id, 'persisting');
    expect(events()).toEqual(expect.arrayContaining(['provider_call_start', 'provider_call_complete']));
    expect(lines.join('')).not.toContain('zebra');
    const { body } = await service.infrastructure.metrics.render();
    for (const operation of ['provider_call', 'parsing', 'total']) {
      expect(body).toMatch(
        new RegExp(`memory_llm_latency_ms_summary_count\\{provider="local",operation="${operation}"\\} [1-9]`),
      );
    }
  });
});
