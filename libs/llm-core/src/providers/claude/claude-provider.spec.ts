import { LLMError } from '../../provider/llm-error.js';
import { describeLLMProvider } from '../../provider/llm-provider.contract.js';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { connectClaude, useServers } from '../remote/connect.fixture.js';
import { ClaudeProvider } from './claude-provider.js';
import { loadPricingCatalog } from '../../pricing/load-pricing-catalog.js';
import { ManualClock } from '@annals/domain';

const start = useServers();

describeLLMProvider('claude', async () => connectClaude(await start()));

describe('ClaudeProvider', () => {
  it('requests the schema, without thinking and with the system prompt cached', async () => {
    const server = await start();
    const request = sampleRequest();
    await connectClaude(server).send(request);
    const [{ request: sent }] = server.journal.entries as [(typeof server.journal.entries)[number]];
    expect(sent.body).toEqual({
      model: 'claude-haiku-5-5',
      max_tokens: 1_000,
      system: [{ type: 'text', text: request.prompt.system, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: request.prompt.user }],
      output_config: { format: { type: 'json_schema', schema: request.prompt.schema }, effort: 'low' },
      thinking: { type: 'disabled' },
    });
  });

  it.each([
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' }, output_config: { effort: 'low' } }],
    ['claude-opus-5-5', { thinking: undefined, output_config: { effort: 'low' } }],
    ['claude-haiku-4-5', { thinking: undefined, output_config: { effort: undefined } }],
  ])('limits the thinking of %s as far as the model allows', async (model, expected) => {
    const server = await start({ isCompatible: true, models: [fakeModel(model)] });
    await connectClaude(server, { model }).send(sampleRequest());
    const { thinking, output_config: output } = server.journal.entries[0]!.request.body as Record<string, object>;
    expect({ thinking, output_config: { effort: (output as { effort?: string }).effort } }).toEqual(expected);
  });

  it('sums input tokens, cached or not, and prices each part', async () => {
    const server = await start();
    server.plan({
      kind: 'answer',
      usage: { inputTokens: 5_000, cacheReadTokens: 3_000, cacheWriteTokens: 1_000, outputTokens: 200 },
    });
    const { usage, costMicroUsd } = await connectClaude(server).send(sampleRequest());
    expect(usage).toEqual({ inputTokens: 5_000, cacheReadTokens: 3_000, cacheWriteTokens: 1_000, outputTokens: 200 });
    // 1,000 × 0.10 + 3,000 × 0.01 + 1,000 × 0.125 + 200 × 0.50
    expect(costMicroUsd).toBe(100 + 30 + 125 + 100);
  });

  it.each(['before', 'inside', 'after'] as const)('ignores tool calls %s the answer', async (tools) => {
    const server = await start();
    const plain = (await connectClaude(server).send(sampleRequest())).text;
    server.plan({ kind: 'answer', tools, thinking: 'Hm.' }, { kind: 'answer', tools, thinking: 'Hm.' });
    const pieces: string[] = [];
    await connectClaude(server).stream(sampleRequest(), { onText: (piece) => void pieces.push(piece) });
    expect(pieces.join('')).toBe(plain);
    expect((await connectClaude(server).send(sampleRequest())).text).toBe(plain);
  });

  it('reports the rate limits of the response headers', async () => {
    const server = await start({ limits: { requestsPerMinute: 50, tokensPerMinute: 40_000 } });
    const { rateLimits, providerRequestId } = await connectClaude(server).send(sampleRequest());
    expect(providerRequestId).toBe('req_00000001');
    expect(rateLimits).toMatchObject({ requests: { limit: 50, remaining: 49 }, tokens: { limit: 40_000 } });
  });

  it("counts tokens with the API's counter, and falls back to its own estimate", async () => {
    const server = await start();
    const provider = connectClaude(server);
    const text = 'The quick brown fox. '.repeat(20);
    expect(await provider.countTokens(text)).toBe(107);
    await server.close();
    const offline = await provider.countTokens(text);
    expect(offline).toBe(provider.estimateTokens(text));
    expect(offline).toBeGreaterThan(100);
  });

  it('rejects a model without a price, and says what to do', () => {
    const build = () =>
      new ClaudeProvider({
        apiKey: 'sk-test',
        model: 'claude-next',
        timeoutMs: 1_000,
        catalog: loadPricingCatalog(),
        clock: new ManualClock(),
      });
    expect(build).toThrow(
      'No price is known for the model in MEMORY_LLM_CLAUDE_MODEL, so its budget cannot be enforced: add its price to the file in MEMORY_LLM_PRICING_CATALOG.',
    );
  });

  it('maps a refusal to a policy error that has a cost and is not retried', async () => {
    const server = await start();
    server.plan({ kind: 'answer', stop: 'refusal' }, { kind: 'answer', stop: 'refusal' });
    for (const answer of [
      connectClaude(server).send(sampleRequest()),
      connectClaude(server).stream(sampleRequest(), { onText: () => {} }),
    ]) {
      const error = (await answer.catch((caught: unknown) => caught)) as LLMError;
      expect(error).toMatchObject({ name: 'LLMError', type: 'policy', retryable: false });
      expect(error.usage?.inputTokens).toBeGreaterThan(0);
      expect(error.costMicroUsd).toBeGreaterThan(0);
    }
  });
});

function fakeModel(id: string) {
  return { id, api: 'anthropic', price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } } as const;
}
