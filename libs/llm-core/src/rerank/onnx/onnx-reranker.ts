import { basename, dirname, resolve } from 'node:path';
import { LLMError } from '../../provider/llm-error.js';
import {
  estimateRerankTokens,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
} from '../reranker.js';
import { sigmoid } from '../to-probability.js';
import { loadTransformers, type PairClassifier, type PairTokenizer } from './load-transformers.js';

export interface OnnxRerankerOptions {
  /** Folder of the model: `tokenizer.json`, `config.json` and `onnx/model_quantized.onnx`. Nothing is downloaded. */
  readonly modelFolder: string;
  /** Where `npm run onnx` has put the runtime. */
  readonly runtimeFolder: string;
}

/** Pairs that are scored at once: more only grows the memory a run takes. */
const PAIRS_PER_RUN = 16;

interface LoadedModel {
  readonly tokenize: PairTokenizer;
  readonly classify: PairClassifier;
}

/**
 * A cross-encoder inside the process, such as `Xenova/ms-marco-MiniLM-L-6-v2` (docs/reference/recall.md#reranking).
 * Runs go one after another: each uses every core by itself.
 */
export class OnnxReranker implements Reranker {
  readonly name = 'onnx';
  readonly model: string;
  private loading?: Promise<LoadedModel>;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: OnnxRerankerOptions) {
    this.model = basename(resolve(options.modelFolder));
  }

  async load(): Promise<void> {
    await this.loadOnce();
  }

  /** @throws LLMError, or the signal's reason when it was aborted */
  async rerank(request: RerankRequest, { signal }: RerankOptions): Promise<RerankAnswer> {
    signal.throwIfAborted();
    const model = await this.loadOnce();
    const scores: number[] = [];
    for (let start = 0; start < request.documents.length; start += PAIRS_PER_RUN) {
      const documents = request.documents.slice(start, start + PAIRS_PER_RUN);
      scores.push(...(await this.enqueue(() => scorePairs(model, request.query, documents), signal)));
    }
    return { scores, usage: { inputTokens: estimateRerankTokens(request), estimated: true, costMicroUsd: 0 } };
  }

  estimateMaxCost(): number {
    return 0;
  }

  private loadOnce(): Promise<LoadedModel> {
    return (this.loading ??= loadModel(this.options));
  }

  /** Runs `work` when those before it are over; one whose caller has gone meanwhile is left out. */
  private enqueue<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.running.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.running = turn.catch(() => undefined);
    return turn;
  }
}

async function loadModel({ modelFolder, runtimeFolder }: OnnxRerankerOptions): Promise<LoadedModel> {
  const { env, AutoTokenizer, AutoModelForSequenceClassification } = await loadTransformers(runtimeFolder);
  const folder = resolve(modelFolder);
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(folder);
  try {
    const [tokenize, classify] = await Promise.all([
      AutoTokenizer.from_pretrained(basename(folder)),
      AutoModelForSequenceClassification.from_pretrained(basename(folder), { dtype: 'q8' }),
    ]);
    return { tokenize, classify };
  } catch {
    throw new Error(
      `${modelFolder} holds no ONNX cross-encoder: it needs config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx.`,
    );
  }
}

async function scorePairs(
  { tokenize, classify }: LoadedModel,
  query: string,
  documents: readonly string[],
): Promise<number[]> {
  try {
    const inputs = tokenize(
      documents.map(() => query),
      { text_pair: [...documents], padding: true, truncation: true },
    );
    const { logits } = await classify(inputs);
    return logits.tolist().map((row) => sigmoid(row[0]!));
  } catch {
    // What the runtime says may quote the texts.
    throw new LLMError('unknown', 'The ONNX model failed on these texts.', { provider: 'onnx' });
  }
}
