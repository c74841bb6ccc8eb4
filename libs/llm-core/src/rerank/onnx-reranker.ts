import { basename, resolve } from 'node:path';
import { loadOnnxModel, type OnnxModelOptions } from '../onnx/load-transformers.js';
import { ONNX_RUNS } from '../onnx/run-queue.js';
import { toRunFailure } from '../onnx/run-failure.js';
import {
  estimateRerankTokens,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
  sigmoid,
} from './reranker.js';

/** Pairs scored in one run; more would only increase the memory of a run. */
const PAIRS_PER_RUN = 16;

type LoadedModel = Awaited<ReturnType<typeof loadModel>>;

/**
 * A cross-encoder inside the process, such as `Xenova/ms-marco-MiniLM-L-6-v2` (docs/reference/recall.md#reranking).
 * Runs are sequential in the process, because each uses all cores.
 */
export class OnnxReranker implements Reranker {
  readonly name = 'onnx';
  readonly model: string;
  private loading?: Promise<LoadedModel>;

  constructor(private readonly options: OnnxModelOptions) {
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
      scores.push(...(await ONNX_RUNS.enqueue(() => scorePairs(model, request.query, documents), signal)));
    }
    return { scores, usage: { inputTokens: estimateRerankTokens(request), estimated: true, costMicroUsd: 0 } };
  }

  estimateMaxCost(): number {
    return 0;
  }

  private loadOnce(): Promise<LoadedModel> {
    return (this.loading ??= loadModel(this.options));
  }
}

function loadModel(options: OnnxModelOptions) {
  return loadOnnxModel<PairTokenizer, PairClassifier>(options, {
    kind: 'ONNX cross-encoder',
    auto: 'AutoModelForSequenceClassification',
    variables: 'ANNALS_RERANK',
  });
}

async function scorePairs(
  { tokenize, run }: LoadedModel,
  query: string,
  documents: readonly string[],
): Promise<number[]> {
  try {
    const inputs = tokenize(
      documents.map(() => query),
      { text_pair: [...documents], padding: true, truncation: true },
    );
    const { logits } = await run(inputs);
    return logits.tolist().map((row) => sigmoid(row[0]!));
  } catch (error) {
    throw toRunFailure('The ONNX reranker failed to score the documents', error);
  }
}

type PairTokenizer = (
  queries: string[],
  options: { text_pair: string[]; padding: boolean; truncation: boolean },
) => Readonly<Record<string, unknown>> & { readonly input_ids: { readonly size: number } };

type PairClassifier = (inputs: unknown) => Promise<{ readonly logits: { tolist(): number[][] } }>;
