import { LLMError } from '@annals/llm-core';
import { isTextRefusal } from '@annals/runtime';
import { embedAccepted } from './embed-accepted.js';

const vectorOf = (text: string) => ({ model: 'm', contentHash: Buffer.from(text), vector: Float32Array.from([1]) });
const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
const refusal = new LLMError('invalid_request', 'No.', { status: 400 });

/** Embeds all texts, with a provider that throws what `judge` returns for a set. */
async function run(judge: (set: readonly string[]) => Error | undefined) {
  const calls: (readonly string[])[] = [];
  const result = await embedAccepted(texts, (set) => {
    calls.push(set);
    const error = judge(set);
    if (error) throw error;
    return Promise.resolve(new Map(set.map((text) => [text, vectorOf(text)])));
  });
  const missing = texts.filter((text) => !result.embeddings.has(text));
  return { ...result, calls, missing };
}

describe('embedAccepted', () => {
  it('calls once when nothing is refused', async () => {
    const { calls, missing, problem, isPartial } = await run(() => undefined);
    expect([calls.length, missing, problem, isPartial]).toEqual([1, [], undefined, false]);
  });

  it.each([[['text 0']], [['text 0', 'text 1']], [['text 3', 'text 50', 'text 99']]])(
    'leaves out %j, which are refused, and no other',
    async (refused) => {
      const { calls, missing, problem, isPartial } = await run((set) =>
        set.some((text) => refused.includes(text)) ? refusal : undefined,
      );
      expect([missing, problem, isPartial]).toEqual([refused, refusal, false]);
      expect(calls.length).toBeLessThan(50);
    },
  );

  it('stops halving when everything is refused, and says that texts are left', async () => {
    const { calls, missing, problem, isPartial } = await run(() => refusal);
    expect([missing.length, problem, isPartial]).toEqual([100, refusal, true]);
    expect(calls).toHaveLength(32);
  });

  it('ends at any other error, with what was accepted before', async () => {
    const outage = new LLMError('transient', 'Down.', { status: 503 });
    const { calls, missing, problem, isPartial } = await run((set) =>
      set.length === 100 ? refusal : set.includes('text 99') ? outage : undefined,
    );
    expect([calls.length, missing, problem, isPartial]).toEqual([3, texts.slice(50), outage, false]);
    await expect(run(() => new Error('a lost database'))).rejects.toThrow('a lost database');
  });
});

describe('isTextRefusal', () => {
  it.each([
    ['a content policy', new LLMError('policy', 'x'), true],
    ['a malformed request', refusal, true],
    ['a text that is too long to be sent', new LLMError('invalid_request', 'x', { sent: false }), true],
    ['an unknown model', new LLMError('invalid_request', 'x', { status: 404 }), false],
    ['vectors of other dimensions', new LLMError('invalid_request', 'x'), false],
    ['a refused key', new LLMError('authentication', 'x', { status: 401 }), false],
  ])('judges %s', (_what, error, expected) => {
    expect(isTextRefusal(error)).toBe(expected);
  });
});
