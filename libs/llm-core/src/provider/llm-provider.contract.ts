import { parseAnswer } from '../parsing/parse-answer.js';
import type { LLMProvider } from './llm-provider.js';
import { sampleRequest } from './llm-request.fixture.js';

/**
 * Specs that every provider must pass; `create` returns a provider that can answer, connected to a fake server if it is
 * remote.
 */
export function describeLLMProvider(label: string, create: () => LLMProvider | Promise<LLMProvider>): void {
  describe(`${label} as an LLMProvider`, () => {
    it('returns memories that match the response schema and cite only messages of the batch', async () => {
      const { text } = await (await create()).send(sampleRequest());
      expect(listCitedMessages(text)).toContain('m1');
    });

    it('reports provider, model, finish reason and cost', async () => {
      const provider = await create();
      const response = await provider.send(sampleRequest());
      expect(response).toMatchObject({ provider: provider.name, model: provider.model, finishReason: 'stop' });
      expect(response.model).not.toBe('');
      expect(Number.isInteger(response.costMicroUsd)).toBe(true);
      expect(response.costMicroUsd).toBe(provider.estimateCost(response.usage));
    });

    it('streams the same answer in chunks and reports the first token once', async () => {
      const provider = await create();
      if (!provider.stream) return expect(provider.getCapabilities().streaming).toBe(false);
      const events: string[] = [];
      const response = await provider.stream(sampleRequest(), {
        onFirstToken: () => void events.push('first'),
        onText: (piece) => void events.push(`:${piece}`),
      });
      expect(events[0]).toBe('first');
      expect(events.slice(1).every((event) => event.startsWith(':') && event.length > 1)).toBe(true);
      expect(
        events
          .slice(1)
          .map((event) => event.slice(1))
          .join(''),
      ).toBe(response.text);
      expect(listCitedMessages(response.text)).toContain('m1');
      expect(response.firstTokenMs).toBeGreaterThanOrEqual(0);
    });

    it('returns no memories for an empty conversation', async () => {
      const { text } = await (await create()).send(sampleRequest({ conversation: { messages: [], context: [] } }));
      expect(parseAnswer(text, { truncated: false }).memories).toEqual([]);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const reason = new Error('stopped by the test');
      const sending = (await create()).send(sampleRequest({ signal: AbortSignal.abort(reason) }));
      await expect(sending).rejects.toBe(reason);
    });

    it('counts tokens as integers, more for longer text', async () => {
      const provider = await create();
      const texts = ['', 'one two', 'one two '.repeat(50)];
      const counted = await Promise.all(texts.map((text) => provider.countTokens(text)));
      for (const counts of [counted, texts.map((text) => provider.estimateTokens(text))]) {
        expect([counts[0], counts.every(Number.isInteger)]).toEqual([0, true]);
        expect(counts[1]).toBeGreaterThan(0);
        expect(counts[2]).toBeGreaterThan(counts[1]!);
      }
    });

    it('estimates cost in integer micro-USD, never less for more tokens', async () => {
      const provider = await create();
      const small = provider.estimateCost({ inputTokens: 10, outputTokens: 10 });
      const large = provider.estimateCost({ inputTokens: 10_000, outputTokens: 10_000 });
      expect(Number.isInteger(small)).toBe(true);
      expect(large).toBeGreaterThanOrEqual(small);
    });

    it('never costs more than its estimated maximum', async () => {
      const provider = await create();
      const maxCost = provider.estimateMaxCost(sampleRequest());
      expect(Number.isInteger(maxCost)).toBe(true);
      expect((await provider.send(sampleRequest())).costMicroUsd).toBeLessThanOrEqual(maxCost);
    });

    it('reports whether it is usable', async () => {
      const provider = await create();
      await expect(provider.validateConfig()).resolves.toBe(true);
      const inspection = await provider.inspect(new AbortController().signal);
      expect(inspection).toMatchObject({ usable: true, reachable: true, authenticated: true, modelKnown: true });
      expect(inspection).not.toHaveProperty('problem');
    });
  });
}

function listCitedMessages(text: string): string[] {
  const { memories } = parseAnswer(text, { truncated: false });
  expect(memories.length).toBeGreaterThan(0);
  const cited = [...new Set(memories.flatMap(({ evidence }) => evidence.map(({ message_id }) => message_id)))];
  expect(['m1', 'm2']).toEqual(expect.arrayContaining(cited));
  return cited;
}
