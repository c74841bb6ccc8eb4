import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OnnxEmbedder } from './onnx-embedder.js';

describe('OnnxEmbedder without its runtime', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'annals-onnx-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const create = (pooling: 'mean' | 'cls') =>
    new OnnxEmbedder({ modelFolder: path.join(folder, 'tiny/'), runtimeFolder: folder, dimensions: 3, pooling });

  it('says how to install it', async () => {
    await expect(create('mean').load()).rejects.toThrow('run "npm run onnx".');
  });

  it('names its vector space by folder, pooling and dimensions', () => {
    expect([create('mean').model, create('cls').model]).toEqual(['tiny-mean-3', 'tiny-cls-3']);
  });
});
