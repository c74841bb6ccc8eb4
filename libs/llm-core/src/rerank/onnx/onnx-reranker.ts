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
  /** Folder into which `npm run onnx` installed the runtime. */
  readonly runtimeFolder: string;
}

/** Pairs scored in one run; more would only increase the memory of a run. */
const PAIRS_PER_RUN = 16;

interface LoadedModel {
  readonly tokenize: PairTokenizer;
  readonly classify: PairClassifier;
}

/**
 * A cross-encoder inside the process, such as `Xenova/ms-marco-MiniLM-L-6-v2` (docs/reference/recall.md#reranking).
 * Runs are sequential, because each uses all cores.
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

  /** Runs `work` after the runs before it; skipped if its signal was aborted meanwhile. */
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
    // Errors of the runtime may quote the texts, so they are dropped.
    throw new LLMError('unknown', 'The ONNX reranker failed to score the documents.', { provider: 'onnx' });
  }
}
