import { TINY_DIMENSIONS, writeTinyCrossEncoder, writeTinyEmbedder } from '@annals/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../../../../..');
const RUNTIME = path.join(ROOT, '.onnx');
const VOCABULARY = ['tea', 'coffee', 'likes', 'ann'];

/** Ids of the tokens of a text: a start, the words, an end. */
const idsOf = (words: readonly string[]) => [2, ...words.map((word) => 5 + VOCABULARY.indexOf(word)), 3];

function meanOf(ids: readonly number[]): number[] {
  const sumOf = (component: (id: number) => number) => ids.reduce((total, id) => total + component(id), 0);
  const sum = [sumOf(Math.sin), sumOf(Math.cos), ids.length];
  return sum.map((value) => value / Math.hypot(...sum));
}

describe('OnnxEmbedder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'annals-onnx-'));
    await writeTinyEmbedder(path.join(folder, 'embedders/tiny'), VOCABULARY);
    await writeTinyCrossEncoder(path.join(folder, 'rerankers/tiny'), VOCABULARY);
  });
  afterAll(() => rm(folder, { recursive: true }));

  // Runs in a separate process, because the runtime holds threads and memory until its process ends.
  it('makes vectors with a real model, beside a reranker of the same name, and says what is wrong', async () => {
    const script = `
      const core = await import(${JSON.stringify(path.join(ROOT, 'libs/llm-core/dist/index.js'))});
      const [folder, runtimeFolder, dimensions] = process.argv.slice(1);
      const { signal } = new AbortController();
      const create = (modelFolder, rest = {}) => core.createEmbeddingProvider(
        { provider: 'onnx', modelFolder, runtimeFolder, dimensions: Number(dimensions), pooling: 'mean', ...rest });
      const reasonOf = (work) => work.then(() => null, (error) => error.message);
      const tiny = folder + '/embedders/tiny';
      const embedder = create(tiny);
      const reranker = core.createReranker({ kind: 'onnx', modelFolder: folder + '/rerankers/tiny', runtimeFolder });
      await Promise.all([embedder.load(), reranker.load()]);
      const embed = async (provider, ...texts) => (await provider.embed(texts, { signal })).vectors.map((v) => [...v]);
      const texts = ['Ann likes tea', 'coffee', ''];
      const aborted = new AbortController();
      aborted.abort(new Error('stopped'));
      console.log(JSON.stringify({
        model: embedder.model,
        together: await embed(embedder, ...texts),
        alone: (await Promise.all(texts.map((text) => embed(embedder, text)))).flat(),
        last: await embed(create(tiny, { pooling: 'last_token' }), 'tea'),
        none: await embedder.embed([], { signal }),
        scores: (await reranker.rerank({ query: 'tea', documents: ['tea'] }, { signal })).scores,
        reasons: [
          await reasonOf(create(tiny, { dimensions: 8 }).load()),
          await reasonOf(create(runtimeFolder).embed(['tea'], { signal })),
          await reasonOf(embedder.embed(['tea'], { signal: aborted.signal })),
        ],
      }));`;
    const args = ['--input-type=module', '-e', script, folder, RUNTIME, `${TINY_DIMENSIONS}`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const found = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(found.model).toBe(`tiny-mean-${TINY_DIMENSIONS}`);
    const expected = [['ann', 'likes', 'tea'], ['coffee'], []].map((words) =>
      meanOf(idsOf(words)).map((value) => expect.closeTo(value, 5)),
    );
    expect(found.together).toEqual(expected);
    expect(found.alone).toEqual(found.together);
    expect(found.last).toEqual([meanOf([3]).map((value) => expect.closeTo(value, 5))]);
    expect(found.none.vectors).toEqual([]);
    expect(found.scores).toEqual([expect.closeTo(1 / (1 + Math.exp(-2)), 5)]);
    expect(found.reasons).toEqual([
      expect.stringContaining('makes vectors of 3 dimensions: set ANNALS_EMBEDDINGS_DIMENSIONS'),
      expect.stringContaining('holds no ONNX embedding model'),
      'stopped',
    ]);
  });
});
