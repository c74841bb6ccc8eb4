import { CachingEmbedder, type EmbeddingCacheStore, hashText } from './caching-embedder.js';
import type { EmbeddingProvider } from './embedding-provider.js';
import { HashedEmbedder } from './hashed/hashed-embedder.js';

const signal = new AbortController().signal;

/** The hashed embedder, recording its calls. */
class RecordingEmbedder extends HashedEmbedder {
  readonly calls: string[][] = [];

  override embed(...[texts, options]: Parameters<EmbeddingProvider['embed']>): ReturnType<EmbeddingProvider['embed']> {
    this.calls.push([...texts]);
    return super.embed(texts, options);
  }
}

async function vectorOf(text: string): Promise<Float32Array> {
  return (await new HashedEmbedder().embed([text], { signal })).vectors[0]!;
}

function storeOf(rows: Record<string, Float32Array>): EmbeddingCacheStore & { loads: unknown[] } {
  const loads: unknown[] = [];
  return {
    loads,
    load: async (tenantId, model, hashes) => {
      loads.push([tenantId, model, [...hashes]]);
      return new Map(
        hashes.flatMap((hash) => (rows[`${tenantId} ${hash}`] ? [[hash, rows[`${tenantId} ${hash}`]!]] : [])),
      );
    },
  };
}

describe('CachingEmbedder', () => {
  it('calls the provider once per batch, with duplicate texts only once', async () => {
    const provider = new RecordingEmbedder();
    const { vectors, hits } = await new CachingEmbedder({ provider, lruSize: 10 }).embed(
      't1',
      ['a tea', 'b tea', 'a tea'],
      { signal },
    );
    expect(provider.calls).toEqual([['a tea', 'b tea']]);
    expect(hits).toEqual({ memory: 0, store: 0, misses: 2 });
    expect(vectors).toEqual([await vectorOf('a tea'), await vectorOf('b tea'), await vectorOf('a tea')]);
  });

  it('calls neither store nor provider for a text cached in memory', async () => {
    const provider = new RecordingEmbedder();
    const store = storeOf({});
    const embedder = new CachingEmbedder({ provider, store, lruSize: 10 });
    await embedder.embed('t1', ['tea'], { signal });
    const again = await embedder.embed('t1', ['tea'], { signal });
    expect(again).toMatchObject({ hits: { memory: 1, store: 0, misses: 0 }, usage: { requests: 0, inputTokens: 0 } });
    expect([provider.calls.length, store.loads.length]).toEqual([1, 1]);
  });

  it('loads texts missing in memory from the store, and embeds texts missing in both', async () => {
    const provider = new RecordingEmbedder();
    const store = storeOf({ [`t1 ${hashText('stored')}`]: await vectorOf('stored') });
    const embedder = new CachingEmbedder({ provider, store, lruSize: 10 });
    await embedder.embed('t1', ['remembered'], { signal });
    const { hits, vectors } = await embedder.embed('t1', ['remembered', 'stored', 'new'], { signal });
    expect(hits).toEqual({ memory: 1, store: 1, misses: 1 });
    expect(store.loads.at(-1)).toEqual(['t1', 'hashed-384-v1', [hashText('stored'), hashText('new')]]);
    expect(provider.calls).toEqual([['remembered'], ['new']]);
    expect(vectors[1]).toEqual(await vectorOf('stored'));
  });

  it('caches vectors loaded from the store in memory', async () => {
    const store = storeOf({ [`t1 ${hashText('stored')}`]: await vectorOf('stored') });
    const embedder = new CachingEmbedder({ provider: new RecordingEmbedder(), store, lruSize: 10 });
    await embedder.embed('t1', ['stored'], { signal });
    expect((await embedder.embed('t1', ['stored'], { signal })).hits.memory).toBe(1);
  });

  it('does not share cached vectors between tenants', async () => {
    const provider = new RecordingEmbedder();
    const embedder = new CachingEmbedder({ provider, lruSize: 10 });
    await embedder.embed('t1', ['tea'], { signal });
    expect((await embedder.embed('t2', ['tea'], { signal })).hits.misses).toBe(1);
  });

  it('evicts the oldest entries beyond its size, and caches nothing at size 0', async () => {
    const small = new CachingEmbedder({ provider: new RecordingEmbedder(), lruSize: 1 });
    await small.embed('t1', ['one', 'two'], { signal });
    expect((await small.embed('t1', ['one'], { signal })).hits.memory).toBe(0);
    const none = new CachingEmbedder({ provider: new RecordingEmbedder(), lruSize: 0 });
    await none.embed('t1', ['one'], { signal });
    expect((await none.embed('t1', ['one'], { signal })).hits.memory).toBe(0);
  });

  it('ignores a stored vector with other dimensions', async () => {
    const store = storeOf({ [`t1 ${hashText('old')}`]: new Float32Array(3) });
    const { hits, vectors } = await new CachingEmbedder({ provider: new RecordingEmbedder(), store, lruSize: 5 }).embed(
      't1',
      ['old'],
      { signal },
    );
    expect(hits).toEqual({ memory: 0, store: 0, misses: 1 });
    expect(vectors[0]).toHaveLength(384);
  });

  it('caches nothing of a failed call', async () => {
    const provider = new RecordingEmbedder();
    const embedder = new CachingEmbedder({ provider, lruSize: 5 });
    const reason = new Error('stopped by the test');
    await expect(embedder.embed('t1', ['tea'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect((await embedder.embed('t1', ['tea'], { signal })).hits.misses).toBe(1);
  });

  it('returns an empty result for no texts, without a call', async () => {
    const provider = new RecordingEmbedder();
    const result = await new CachingEmbedder({ provider, store: storeOf({}), lruSize: 5 }).embed('t1', [], { signal });
    expect(result).toEqual({
      vectors: [],
      usage: { inputTokens: 0, costMicroUsd: 0, requests: 0 },
      hits: { memory: 0, store: 0, misses: 0 },
    });
    expect(provider.calls).toEqual([]);
  });
});
