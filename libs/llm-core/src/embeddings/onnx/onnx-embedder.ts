import { ConfigError } from '@annals/config';
import { basename, resolve } from 'node:path';
import { loadOnnxModel, type OnnxModelOptions } from '../../onnx/load-transformers.js';
import { toRunFailure } from '../../onnx/run-failure.js';
import { ONNX_RUNS } from '../../onnx/run-queue.js';
import { LLMError } from '../../provider/llm-error.js';
import type { EmbeddingProvider, EmbeddingResult, EmbedOptions, SimilarityProfile } from '../embedding-provider.js';
import { findModelFacts } from '../model-facts.js';
import { type Pooling, poolTokens, type TokenVectors } from './pool-tokens.js';

export interface OnnxEmbedderOptions extends OnnxModelOptions {
  /** Length of the model's vectors. */
  readonly dimensions: number;
  /** How the vectors of a text's tokens become one; a model is trained with one of them. */
  readonly pooling: Pooling;
}

/** Embedded once when the model is loaded, to compare its dimensions with the configured ones. */
const PROBE = 'probe';

const KIND = { kind: 'ONNX embedding model', auto: 'AutoModel', variables: 'ANNALS_EMBEDDINGS' } as const;

/**
 * A sentence embedding model inside the process, such as `Xenova/all-MiniLM-L6-v2`: vectors at unit length. `model`
 * names folder, pooling and dimensions, since another of them is another vector space.
 *
 * The runtime computes in threads of its own. One text a run: a quantised model scales its numbers by everything in a
 * run, so that the vector of a text would depend on its neighbours. Runs are sequential in the process, because each uses all cores.
 */
export class OnnxEmbedder implements EmbeddingProvider {
  readonly name = 'onnx';
  readonly model: string;
  readonly dimensions: number;
  readonly profile: SimilarityProfile;
  private loading?: Promise<LoadedModel>;

  constructor(private readonly options: OnnxEmbedderOptions) {
    const name = basename(resolve(options.modelFolder));
    this.dimensions = options.dimensions;
    this.model = `${name}-${options.pooling}-${options.dimensions}`;
    this.profile = findModelFacts(name).profile;
  }

  async load(): Promise<void> {
    await this.loadOnce();
  }

  /** @throws LLMError, or the signal's reason when it was aborted */
  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<EmbeddingResult> {
    signal.throwIfAborted();
    const model = texts.length === 0 ? null : await this.loadOnce();
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await ONNX_RUNS.enqueue(() => this.embedText(model!, text), signal));
    return { vectors, usage: { inputTokens: 0, costMicroUsd: 0, requests: 0 } };
  }

  estimateMaxCost(): number {
    return 0;
  }

  private loadOnce(): Promise<LoadedModel> {
    return (this.loading ??= this.loadModel());
  }

  private async loadModel(): Promise<LoadedModel> {
    const { modelFolder, dimensions } = this.options;
    const model = await loadOnnxModel<Tokenizer, Encoder>(this.options, KIND);
    const found = (await encode(model, PROBE)).dims.at(-1);
    if (found !== dimensions) {
      const variable = 'ANNALS_EMBEDDINGS_DIMENSIONS';
      const message = `${modelFolder} makes vectors of ${found} dimensions: set ${variable} to it.`;
      throw new ConfigError([{ variable, message }]);
    }
    return model;
  }

  private async embedText(model: LoadedModel, text: string): Promise<Float32Array> {
    return poolTokens(await encode(model, text), this.options.pooling);
  }
}

async function encode({ tokenize, run }: LoadedModel, text: string): Promise<TokenVectors> {
  let outputs: Outputs;
  try {
    outputs = await run(tokenize([text], { truncation: true }));
  } catch (error) {
    throw toRunFailure('The ONNX embedding model failed to embed a text', error);
  }
  const tokens = outputs.last_hidden_state;
  if (tokens) return tokens;
  const found = Object.keys(outputs).join(', ');
  const message = `The ONNX embedding model has no output last_hidden_state, but: ${found}. Use an export that has it.`;
  throw new LLMError('unknown', message, { provider: 'onnx' });
}

interface LoadedModel {
  readonly tokenize: Tokenizer;
  readonly run: Encoder;
}

type Tokenizer = (texts: string[], options: { truncation: boolean }) => unknown;
type Outputs = Readonly<Record<string, unknown>> & { readonly last_hidden_state?: TokenVectors };
type Encoder = (inputs: unknown) => Promise<Outputs>;
