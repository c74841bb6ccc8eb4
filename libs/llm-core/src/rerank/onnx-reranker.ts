import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LLMError } from '../provider/llm-error.js';
import {
  estimateRerankTokens,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
  sigmoid,
} from './reranker.js';

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

/** The part of @huggingface/transformers 4 that is used. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  readonly AutoTokenizer: { from_pretrained(model: string): Promise<PairTokenizer> };
  readonly AutoModelForSequenceClassification: {
    from_pretrained(model: string, options: { dtype: string }): Promise<PairClassifier>;
  };
}

type PairTokenizer = (
  queries: string[],
  options: { text_pair: string[]; padding: boolean; truncation: boolean },
) => Readonly<Record<string, unknown>> & { readonly input_ids: { readonly size: number } };

type PairClassifier = (inputs: unknown) => Promise<{ readonly logits: { tolist(): number[][] } }>;

const PACKAGE = '@huggingface/transformers';

/**
 * Loads the runtime for ONNX models. It takes 0.5 GB and is not part of an installation: `npm run onnx` installs it
 * into `folder`.
 * @throws Error if it is not installed there
 */
async function loadTransformers(folder: string): Promise<Transformers> {
  const from = createRequire(join(resolve(folder), 'package.json'));
  let entry: string;
  try {
    entry = from.resolve(PACKAGE);
  } catch {
    throw new Error(`The runtime for ONNX models is not installed in ${folder}: run "npm run onnx".`);
  }
  return (await import(pathToFileURL(entry).href)) as Transformers;
}
