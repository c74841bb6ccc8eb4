import { parseExtraction } from '../parsing/parse-extraction.js';
import type { LLMProvider } from './llm-provider.js';
import type { LLMRequest } from './llm-request.js';

const REQUEST: LLMRequest = {
  requestId: 'r1',
  task: 'extract_memories',
  conversation: {
    messages: [
      { id: 'm1', role: 'user', actorId: null, content: 'I live in Lisbon.', createdAt: Date.UTC(2023, 4, 8) },
      { id: 'm2', role: 'assistant', actorId: null, content: 'I live in a computer.', createdAt: Date.UTC(2023, 4, 8) },
    ],
    context: [
      { id: 'm0', role: 'user', actorId: null, content: 'I work as a nurse.', createdAt: Date.UTC(2023, 4, 7) },
    ],
  },
  signal: new AbortController().signal,
};

/** What every provider has to do; `create` gives one that can answer, over a stand-in server where it is remote. */
export function describeLLMProvider(label: string, create: () => LLMProvider | Promise<LLMProvider>): void {
  describe(`${label} as an LLMProvider`, () => {
    it('answers with memories in the agreed shape, citing the messages of the batch only', async () => {
      const response = await (await create()).send(REQUEST);
      const { memories } = parseExtraction(response.text);
      expect(memories.length).toBeGreaterThan(0);
      for (const { evidence } of memories) expect(evidence.map(({ message_id }) => message_id)).toEqual(['m1']);
    });

    it('says who answered, why it ended and what it cost', async () => {
      const provider = await create();
      const response = await provider.send(REQUEST);
      expect(response).toMatchObject({ provider: provider.name, finishReason: 'stop' });
      expect(response.model).not.toBe('');
      expect(Number.isInteger(response.costMicroUsd)).toBe(true);
      expect(response.costMicroUsd).toBe(provider.estimateCost(response.usage));
    });

    it('answers an empty conversation with no memories', async () => {
      const conversation = { messages: [], context: [] };
      const { text } = await (await create()).send({ ...REQUEST, conversation });
      expect(parseExtraction(text).memories).toEqual([]);
    });

    it('ends with the reason of an aborted signal', async () => {
      const reason = new Error('stopped by the test');
      const sending = (await create()).send({ ...REQUEST, signal: AbortSignal.abort(reason) });
      await expect(sending).rejects.toBe(reason);
    });

    it('counts tokens in whole numbers, more for more text', async () => {
      const provider = await create();
      const [none, few, many] = await Promise.all(
        ['', 'one two', 'one two '.repeat(50)].map((text) => provider.countTokens(text)),
      );
      expect([none, Number.isInteger(few)]).toEqual([0, true]);
      expect(many).toBeGreaterThan(few!);
    });

    it('estimates cost in whole micro-USD, never less for more tokens', async () => {
      const provider = await create();
      const small = provider.estimateCost({ inputTokens: 10, outputTokens: 10 });
      const large = provider.estimateCost({ inputTokens: 10_000, outputTokens: 10_000 });
      expect(Number.isInteger(small)).toBe(true);
      expect(large).toBeGreaterThanOrEqual(small);
    });

    it('says whether it could answer', async () => {
      await expect((await create()).validateConfig()).resolves.toBe(true);
    });
  });
}
