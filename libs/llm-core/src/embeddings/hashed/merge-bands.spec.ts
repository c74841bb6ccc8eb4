import { classifyPair } from '@annals/domain';
import { HashedEmbedder } from './hashed-embedder.js';
import { STATEMENT_PAIRS } from './statement-pairs.fixture.js';

const embedder = new HashedEmbedder();
const { bands } = embedder.profile;

async function findCosine([a, b]: readonly [string, string]): Promise<number> {
  const { vectors } = await embedder.embed([a, b], { signal: new AbortController().signal });
  return vectors[0]!.reduce((sum, value, index) => sum + value * vectors[1]![index]!, 0);
}

const measure = async (pairs: readonly (readonly [string, string])[]) => Promise.all(pairs.map(findCosine));
const shareFrom = (cosines: readonly number[], floor: number) =>
  cosines.filter((cosine) => cosine >= floor).length / cosines.length;

describe('the merge bands of hashed vectors', () => {
  it('link no unrelated pairs, and at least half of the related ones', async () => {
    expect(shareFrom(await measure(STATEMENT_PAIRS.unrelated), bands.link)).toBe(0);
    expect(shareFrom(await measure(STATEMENT_PAIRS.related), bands.link)).toBeGreaterThanOrEqual(0.5);
  });

  it('send two thirds of the changes of meaning, and every rewording, to a model', async () => {
    expect(shareFrom(await measure(STATEMENT_PAIRS.changed), bands.check)).toBeGreaterThanOrEqual(0.66);
    expect(shareFrom(await measure(STATEMENT_PAIRS.rewording), bands.check)).toBe(1);
  });

  it('merge only rewordings without a model', async () => {
    for (const [label, pairs] of Object.entries(STATEMENT_PAIRS)) {
      const verdicts = await Promise.all(
        pairs.map(async ([a, b]) => {
          const cosine = await findCosine([a, b]);
          return classifyPair({ content: a, type: 'semantic' }, { content: b, type: 'semantic' }, cosine, bands);
        }),
      );
      if (label !== 'rewording') expect(verdicts).not.toContain('same');
      else expect(verdicts.filter((verdict) => verdict === 'same').length).toBeGreaterThanOrEqual(2);
    }
  });
});
