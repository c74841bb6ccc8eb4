import { writeTinyCrossEncoder } from '@annals/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../../../..');
const RUNTIME = path.join(ROOT, '.onnx');
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

describe('OnnxReranker', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'annals-onnx-'));
    await writeTinyCrossEncoder(path.join(folder, 'tiny'), ['tea', 'coffee', 'likes', 'ann']);
  });
  afterAll(() => rm(folder, { recursive: true }));

  // Runs in a separate process, because the runtime holds threads and memory until its process ends.
  it('scores pairs with a real model, in the order of the documents', async () => {
    const script = `
      const { createReranker } = await import(${JSON.stringify(path.join(ROOT, 'libs/llm-core/dist/index.js'))});
      const [modelFolder, runtimeFolder] = process.argv.slice(1);
      const { signal } = new AbortController();
      const documents = ['Ann likes tea', 'coffee', '', ...Array.from({ length: 40 }, () => 'tea')];
      const reranker = createReranker({ kind: 'onnx', modelFolder, runtimeFolder });
      const { scores } = await reranker.rerank({ query: 'tea', documents }, { signal });
      const wrong = await createReranker({ kind: 'onnx', modelFolder: runtimeFolder, runtimeFolder })
        .rerank({ query: 'tea', documents }, { signal }).catch((error) => error.message);
      console.log(JSON.stringify({ model: reranker.model, scores, wrong }));`;
    const args = ['--input-type=module', '-e', script, path.join(folder, 'tiny'), RUNTIME];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { model, scores, wrong } = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(model).toBe('tiny');
    // The logit is the sum of the words' indexes in the vocabulary.
    const expected = [1 + 4 + 3 + 1, 1 + 2, 1, ...Array.from({ length: 40 }, () => 1 + 1)].map(sigmoid);
    expect(scores).toHaveLength(expected.length);
    for (const [position, score] of expected.entries()) expect(scores[position]).toBeCloseTo(score, 5);
    expect(wrong).toContain('holds no ONNX cross-encoder');
  });
});
