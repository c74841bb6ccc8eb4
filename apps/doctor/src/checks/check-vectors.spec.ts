import { evaluateVectors, inspectVectors } from './check-vectors.js';

const MODEL = 'text-embedding-3-small';
const of = (model: string | null, memories: number) => ({ model, memories });

describe('evaluateVectors', () => {
  it.each([
    ['an empty store', [], `0 memories have a vector of the configured model ${MODEL}.`],
    ['one model', [of(MODEL, 1)], `1 memory has a vector of the configured model ${MODEL}.`],
    [
      'vectors that are still to come',
      [of(MODEL, 7), of(null, 2)],
      `7 memories have a vector of the configured model ${MODEL}, 2 memories have none yet.`,
    ],
  ])('passes %s', (_what, counts, found) => {
    expect(evaluateVectors(counts, MODEL)).toEqual({ check: 'embeddings.stored', verdict: 'ok', found });
  });

  it('warns about vectors of other models only, and says what happens and what to do', () => {
    const counts = [of('hashed-384', 30), of('onnx-mini', 1), of(MODEL, 10), of(null, 3)];
    expect(evaluateVectors(counts, MODEL)).toEqual({
      check: 'embeddings.stored',
      verdict: 'warn',
      found:
        `10 memories have a vector of the configured model ${MODEL}, 30 memories have only one of hashed-384, ` +
        '1 memory has only one of onnx-mini, 3 memories have none yet: those are found by words only.',
      advice: expect.stringMatching(/memory_vectors embeds them anew.*If hashed-384 should stay/),
    });
  });
});

describe('inspectVectors', () => {
  const unreachable = { url: 'postgres://nobody@127.0.0.1:1/none' };

  it('warns when PostgreSQL cannot be reached, and does not ask it when offline', async () => {
    expect(await inspectVectors(unreachable, { model: MODEL, isOffline: false })).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('connection'),
    });
    expect(await inspectVectors(unreachable, { model: MODEL, isOffline: true })).toMatchObject({ verdict: 'skip' });
  });
});
