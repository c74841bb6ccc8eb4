import fc from 'fast-check';
import { createEmbeddingProvider } from '../create-embedding-provider.js';
import type { EmbeddingConfig } from '../create-embedding-provider.js';
import { describeEmbeddingProvider } from '../embedding-provider.contract.js';
import { HashedEmbedder, hashFeature } from './hashed-embedder.js';

// Values of the first release.
const PINNED_HASHES = [2_600_342_286, 2_063_161_601, 640_526_303];
const PINNED_COMPONENTS = ['20:0.4924', '65:-0.4924', '142:-0.4924'];

const embedder = new HashedEmbedder();
const signal = new AbortController().signal;

async function similarity(a: string, b: string): Promise<number> {
  const [x, y] = (await embedder.embed([a, b], { signal })).vectors;
  return x!.reduce((sum, value, index) => sum + value * y![index]!, 0);
}

describeEmbeddingProvider('hashed', () => createEmbeddingProvider({ provider: 'hashed' }));

describe('HashedEmbedder', () => {
  it('gives inflections of the same words a high cosine, other words a low one', async () => {
    expect(await similarity('Ana loves hiking in mountains', 'Ana loved hikes in the mountain')).toBeGreaterThan(0.8);
    expect(await similarity('Ana loves hiking in mountains', 'The invoice is due on Friday')).toBeLessThan(0.2);
  });

  it('gives a misspelt word a higher cosine than another word', async () => {
    const misspelt = await similarity('tournament', 'tournamant');
    expect(misspelt).toBeGreaterThan(await similarity('tournament', 'bicycle'));
    expect(misspelt).toBeGreaterThan(0.2);
  });

  it('says that its vectors are computed from words, and no judges of what two texts mean', async () => {
    expect(embedder.profile.isLexical).toBe(true);
    expect(await similarity('The user is a vegetarian', 'No meat is served')).toBeLessThan(embedder.profile.bands.link);
  });

  it('distinguishes word order, below the band `auto`', async () => {
    const reversed = await similarity('Ana prefers tea over coffee', 'Ana prefers coffee over tea');
    expect(reversed).toBeGreaterThan(embedder.profile.bands.link);
    expect(reversed).toBeLessThan(embedder.profile.bands.auto);
  });

  it('keeps different facts in the same sentence pattern below the band `auto`', async () => {
    expect(await similarity('Ana lives in Berlin.', 'Ana lives in Munich.')).toBeLessThan(embedder.profile.bands.auto);
  });

  it('returns a unit vector for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const [vector] = (await embedder.embed([text], { signal })).vectors;
        expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
      }),
    );
  });

  // Pinned: a change invalidates every stored vector of this model, so it needs a new model name.
  it('hashes features the same way on every platform and in every version', async () => {
    expect([hashFeature('stem', 'tea'), hashFeature('pair', 'tea'), hashFeature('stem', '')]).toEqual(PINNED_HASHES);
    const [vector] = (await embedder.embed(['Ana likes tea'], { signal })).vectors;
    const largest = Array.from(vector!, (value, index) => ({ index, value }))
      .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.index - b.index)
      .slice(0, 3);
    expect(largest.map(({ index, value }) => `${index}:${value.toFixed(4)}`)).toEqual(PINNED_COMPONENTS);
  });

  it('is not created under an unknown provider name', () => {
    const config = { provider: 'unknown' } as unknown as EmbeddingConfig;
    expect(() => createEmbeddingProvider(config)).toThrow('set "provider" to one of: hashed, openai, onnx.');
  });
});
