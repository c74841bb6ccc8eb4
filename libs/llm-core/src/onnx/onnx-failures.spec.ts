import { rm } from 'node:fs/promises';
import { OnnxEmbedder } from '../embeddings/onnx/onnx-embedder.js';
import { OnnxReranker } from '../rerank/onnx-reranker.js';
import { writeRuntimeStandIn } from './runtime-stand-in.fixture.js';

const TOKENIZER = `
  export const env = {};
  const tokenizer = { from_pretrained: async () => (texts) => texts };
  export const AutoTokenizer = tokenizer;`;
const loads = (body: string) => `{ from_pretrained: async () => { ${body} } }`;
const SECRET = 'Ada lives in Lisbon';

describe('failures of ONNX models', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
  const { signal } = new AbortController();

  async function install(module: string): Promise<string> {
    const folder = await writeRuntimeStandIn(module);
    folders.push(folder);
    return folder;
  }
  const openEmbedder = async (body: string) => {
    const runtimeFolder = await install(`${TOKENIZER} export const AutoModel = ${loads(body)};`);
    return new OnnxEmbedder({ modelFolder: '/models/tiny', runtimeFolder, dimensions: 2, pooling: 'mean' });
  };

  it('say why a model was not loaded', async () => {
    const embedder = await openEmbedder(`throw new Error('Unsupported operator: MatMulNBits');`);
    await expect(embedder.load()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^ANNALS_EMBEDDINGS_MODEL_DIR names .*tiny, which holds no ONNX embedding model.* Unsupported operator: MatMulNBits$/,
      ),
      cause: expect.any(Error),
    });
  });

  it('say why the installed runtime was not loaded', async () => {
    const runtimeFolder = await install(`throw new Error('libonnxruntime.so.1: cannot open shared object file');`);
    const reranker = new OnnxReranker({ modelFolder: '/models/tiny', runtimeFolder });
    await expect(reranker.load()).rejects.toThrow(/cannot be loaded: .*libonnxruntime\.so\.1: cannot open/);
  });

  it('name the outputs of a model without the one that is needed', async () => {
    const embedder = await openEmbedder('return async () => ({ token_embeddings: {}, sentence_embedding: {} });');
    await expect(embedder.load()).rejects.toThrow(
      'no output last_hidden_state, but: token_embeddings, sentence_embedding.',
    );
  });

  it('keep class and code of the error of a run, and no text', async () => {
    const body = `return async ([text]) => {
      if (text === 'probe') return { last_hidden_state: { dims: [1, 1, 2], data: new Float32Array([1, 0]) } };
      throw Object.assign(new RangeError('Invalid: ' + text), { code: 'ERR_OUT_OF_MEMORY' });
    };`;
    const embedder = await openEmbedder(body);
    const failure = embedder.embed([SECRET], { signal });
    await expect(failure).rejects.toThrow('failed to embed a text (RangeError, ERR_OUT_OF_MEMORY).');
    const runtimeFolder = await install(
      `${TOKENIZER} export const AutoModelForSequenceClassification = ${loads(`return async (texts) => { throw texts[0]; };`)};`,
    );
    const reranker = new OnnxReranker({ modelFolder: '/models/tiny', runtimeFolder });
    const scoring = reranker.rerank({ query: SECRET, documents: ['tea'] }, { signal });
    await expect(scoring).rejects.toThrow('failed to score the documents (string).');
  });

  it('share one queue: a model runs when the one before it has ended', async () => {
    const key = 'annalsOnnxRuns';
    const record = `globalThis.${key} ??= { now: 0, most: 0 };
      return async () => {
        const runs = globalThis.${key};
        runs.most = Math.max(runs.most, ++runs.now);
        await new Promise((resolve) => setImmediate(resolve));
        runs.now -= 1;`;
    const tokens = '{ dims: [1, 1, 2], data: new Float32Array([1, 0]) }';
    const runtimeFolder = await install(`${TOKENIZER}
      export const AutoModel = ${loads(`${record} return { last_hidden_state: ${tokens} }; };`)};
      export const AutoModelForSequenceClassification =
        ${loads(`${record} return { logits: { tolist: () => [[1]] } }; };`)};`);
    const options = { modelFolder: '/models/tiny', runtimeFolder };
    const embedder = new OnnxEmbedder({ ...options, dimensions: 2, pooling: 'mean' });
    const reranker = new OnnxReranker(options);
    await Promise.all([embedder.load(), reranker.load()]);
    await Promise.all([
      embedder.embed(['a', 'b', 'c'], { signal }),
      reranker.rerank({ query: 'a', documents: ['b'] }, { signal }),
    ]);
    expect((globalThis as unknown as Record<string, unknown>)[key]).toEqual({ now: 0, most: 1 });
  });
});
