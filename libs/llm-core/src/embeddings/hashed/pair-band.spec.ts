import { HELD_OUT_MEMORY_PAIRS, MEMORY_PAIRS } from '@annals/testing';
import { HashedEmbedder } from './hashed-embedder.js';

const embedder = new HashedEmbedder();

async function measureCosines(): Promise<number[]> {
  const same = [...MEMORY_PAIRS, ...HELD_OUT_MEMORY_PAIRS].filter(({ expected }) => expected === 'merge');
  const texts = same.flatMap(({ a, b }) => [a, b]);
  const { vectors } = await embedder.embed(texts, { signal: new AbortController().signal });
  return same.map((_pair, index) =>
    vectors[2 * index]!.reduce((sum, value, at) => sum + value * vectors[2 * index + 1]![at]!, 0),
  );
}

describe('the band of stored pairs', () => {
  it('has nine of ten pairs of memories that state one fact, which the bands of new statements have not', async () => {
    const cosines = await measureCosines();
    const share = ({ from, to }: { from: number; to: number }) =>
      cosines.filter((cosine) => cosine >= from && cosine < to).length / cosines.length;
    const { bands, pairs } = embedder.profile;
    expect(share(pairs!)).toBeGreaterThanOrEqual(0.9);
    expect(share({ from: bands.fallback, to: bands.check })).toBeLessThan(0.1);
  });
});
