import type { EmbeddingProvider } from './embedding-provider.js';

const signal = new AbortController().signal;

/**
 * Specs that every embedding provider must pass; `get` returns a provider that can answer, connected to a fake server
 * if it is remote.
 */
export function describeEmbeddingProvider(label: string, get: () => EmbeddingProvider): void {
  describe(`${label} as an EmbeddingProvider`, () => {
    it('returns one unit vector with its dimensions per text, in order', async () => {
      const provider = get();
      const texts = ['Ana likes tea.', 'Ana lives in Lisbon.', 'Ana likes tea.'];
      const { vectors } = await provider.embed(texts, { signal });
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) {
        expect(vector).toHaveLength(provider.dimensions);
        expect(lengthOf(vector)).toBeCloseTo(1, 5);
      }
      expect(vectors[2]).toEqual(vectors[0]);
      expect(vectors[1]).not.toEqual(vectors[0]);
    });

    it('returns the same vector for the same text, alone or among others', async () => {
      const provider = get();
      const [alone] = (await provider.embed(['Ana likes tea.'], { signal })).vectors;
      const [, among] = (await provider.embed(['Ana swims.', 'Ana likes tea.'], { signal })).vectors;
      expect(among).toEqual(alone);
    });

    it('returns a unit vector for texts without words', async () => {
      const { vectors } = await get().embed(['', '   ', '?!', '\u{1f600}'], { signal });
      for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 5);
    });

    it('returns no vectors and zero usage for no texts', async () => {
      const result = await get().embed([], { signal });
      expect(result).toEqual({ vectors: [], usage: { inputTokens: 0, costMicroUsd: 0, requests: 0 } });
    });

    it('reports usage as integers', async () => {
      const { usage } = await get().embed(['Ana likes tea.'], { signal });
      for (const value of [usage.inputTokens, usage.costMicroUsd, usage.requests])
        expect(Number.isInteger(value)).toBe(true);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const reason = new Error('stopped by the test');
      await expect(get().embed(['Ana likes tea.'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('has a similarity profile with increasing thresholds', () => {
      const { unrelated, same, bands } = get().profile;
      expect(unrelated).toBeLessThan(same);
      const floors = [bands.link, bands.fallback, bands.check, bands.auto];
      expect(floors).toEqual(floors.toSorted((a, b) => a - b));
      expect(bands.auto).toBeLessThanOrEqual(1);
    });
  });
}

function lengthOf(vector: Float32Array): number {
  return Math.hypot(...vector);
}
