import { type ExtractedMemory, RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { LLMError, type LLMProvider, type LLMRequest, type LLMResponse } from '@annals/llm-core';
import { loadExtraction } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { ExtractionService, type TestMessage } from './extraction-service.fixture.js';

/** A model inside the process, whose answers a test defines. */
class ScriptedProvider implements LLMProvider {
  readonly name = 'local';
  readonly model = 'scripted';
  readonly requests: LLMRequest[] = [];
  answer: (request: LLMRequest) => Promise<ExtractedMemory[]> = () => Promise.resolve([]);

  async send(request: LLMRequest): Promise<LLMResponse> {
    this.requests.push(request);
    const memories = await this.answer(request);
    return {
      text: JSON.stringify({ schemaVersion: RESPONSE_SCHEMA_VERSION, memories }),
      provider: this.name,
      model: this.model,
      usage: { inputTokens: 0, outputTokens: 0 },
      finishReason: 'stop',
      costMicroUsd: 0,
      notice: 'A notice.',
    };
  }
  countTokens = () => Promise.resolve(1);
  estimateTokens = () => 1;
  getCapabilities = () => ({
    streaming: false,
    remote: false,
    languages: ['en'],
    maxInputTokens: 1_000,
    maxOutputTokens: 1_000,
    structuredOutput: 'schema' as const,
    promptCaching: false,
  });
  estimateCost = () => 0;
  estimateMaxCost = () => 0;
  validateConfig = () => Promise.resolve(true);
  inspect = () => Promise.resolve({ usable: true, reachable: true, authenticated: true, modelKnown: true });
}

const memory = (content: string, messageId: string, quote: string): ExtractedMemory => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  evidence: [{ message_id: messageId, quote }],
});

describe('extraction with a local model', () => {
  const provider = new ScriptedProvider();
  let database: TestDatabase;
  let service: ExtractionService;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await ExtractionService.start({ database, providers: () => [provider] });
  });
  beforeEach(() => {
    provider.requests.length = 0;
    service.lines.length = 0;
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const post = (...said: TestMessage[]) => service.post(said);
  const load = (id: string) => service.inTenant((tx) => loadExtraction(tx, id));
  const loadDiagnostics = async (id: string) => {
    const [row] = await service.inTenant((tx) =>
      tx.query<{ diagnostics: object | null }>('SELECT diagnostics FROM extractions WHERE batch_id = $1', [id]),
    );
    return row!.diagnostics;
  };

  it('commits the model’s memories, grounded and in order, and publishes the batch for persistence', async () => {
    provider.answer = async ({ conversation: { messages } }) => [
      memory('The user has a cat.', messages[1]!.id, 'my cat'),
      memory('The user moved.', messages[0]!.id, 'I moved'),
      memory('The user is rich.', messages[0]!.id, 'I am rich'),
    ];
    const id = await post(['user', 'I moved to Berlin.'], ['assistant', 'Oh!'], ['user', 'And my cat came along.']);
    expect(await service.waitFor(id, 'persisting')).toMatchObject({
      provider: 'local',
      model: 'scripted',
      notice: 'A notice.',
      tokens: { input: 0, output: 0 },
      cost_micro_usd: 0,
    });
    expect((await load(id))?.items.map(({ content, quarantineReason }) => [content, quarantineReason])).toEqual([
      ['The user moved.', undefined],
      ['The user has a cat.', undefined],
      ['The user is rich.', 'quote_not_found'],
    ]);
  });

  it('makes no reservations, records no calls and builds no prompt', async () => {
    provider.answer = () => Promise.resolve([]);
    const id = await post(['user', 'hello']);
    await service.waitFor(id, 'persisting');
    expect(provider.requests[0]!.prompt.system).toBe('');
    expect(await service.listOutcomes(id)).toEqual([]);
    expect(service.running.infrastructure.modelCalls).toBeNull();
  });

  it('sends the model no system or tool messages', async () => {
    provider.answer = () => Promise.resolve([]);
    const id = await post(['system', 'be kind'], ['user', 'hello'], ['tool', '{"x":1}'], ['assistant', 'hi']);
    await service.waitFor(id, 'persisting');
    const { messages, context: shown } = provider.requests[0]!.conversation;
    expect([messages, shown].map((part) => part.map(({ content }) => content))).toEqual([['hello'], ['hi']]);
  });

  it('calls no model for a batch without messages of users', async () => {
    const id = await post(['assistant', 'Is anybody there?']);
    await service.waitFor(id, 'persisting');
    expect(provider.requests).toEqual([]);
    expect(await load(id)).toMatchObject({ provider: 'none', model: 'none', items: [] });
    expect(await loadDiagnostics(id)).toBeNull();
  });

  it('makes no second pass over a long message, since rules would find the same', async () => {
    provider.answer = () => Promise.resolve([]);
    const id = await post(['user', 'words '.repeat(200)]);
    await service.waitFor(id, 'persisting');
    expect(provider.requests).toHaveLength(1);
    expect(await loadDiagnostics(id)).toMatchObject({ selection: null, multiFact: null, categoryAssignment: null });
  });

  it('fails a batch without retries after a permanent error, with a code and a message', async () => {
    provider.answer = () => Promise.reject(new LLMError('policy', 'No.'));
    const id = await post(['user', 'hello']);
    expect((await service.waitFor(id, 'failed')).error).toEqual({
      code: 'policy',
      message: 'The provider declined to process this conversation. A replay will most likely fail in the same way.',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('logs its calls with the documented events, without user content', async () => {
    provider.answer = async ({ conversation: { messages } }) => [memory('X.', messages[0]!.id, 'zebra')];
    const id = await post(['user', 'a zebra in the garden']);
    await service.waitFor(id, 'persisting');
    const logged = service.listEvents('provider_call_start', 'provider_call_complete').map(({ event }) => event);
    expect(logged).toEqual(['provider_call_start', 'provider_call_complete']);
    expect(service.lines.join('')).not.toContain('zebra');
    const { body } = await service.running.infrastructure.metrics.render();
    for (const operation of ['provider_call', 'parsing', 'total']) {
      expect(body).toMatch(
        new RegExp(`memory_llm_latency_ms_summary_count\\{provider="local",operation="${operation}"\\} [1-9]`),
      );
    }
  });
});
