import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OnnxReranker } from './onnx-reranker.js';

describe('OnnxReranker without its runtime', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'annals-onnx-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('says how to install it', async () => {
    const reranker = new OnnxReranker({ modelFolder: path.join(folder, 'tiny'), runtimeFolder: folder });
    await expect(reranker.load()).rejects.toThrow('run "npm run onnx".');
  });
});
