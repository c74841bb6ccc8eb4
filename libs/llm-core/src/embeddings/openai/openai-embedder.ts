import { loadPricingCatalog } from '../../pricing/load-pricing-catalog.js';
import type { PricedModel, PricingCatalog } from '../../pricing/pricing-catalog.js';
import { addDetails, LLMError } from '../../provider/llm-error.js';
import { loadSdk } from '../../provider/load-sdk.js';
import { estimateTokensByLength } from '../../tokens/count-tokens.js';
import type {
  EmbedOptions,
  EmbeddingProvider,
  EmbeddingResult,
  EmbeddingUsage,
  SimilarityProfile,
} from '../embedding-provider.js';
import { findModelFacts } from '../model-facts.js';
import type { EmbeddingsApi, EmbeddingsApiOptions } from './embeddings-api.js';
import { splitBatches } from './split-batches.js';

export interface OpenAIEmbedderOptions extends EmbeddingsApiOptions {
  /** Default: the shipped prices. A model without a price is free: it runs on a self-hosted server. */
  catalog?: PricingCatalog;
  profile?: SimilarityProfile;
}

const NAME = 'openai';
/** Special tokens that a model adds around a text, and the space that replaces an empty one. */
const TOKEN_OVERHEAD_PER_TEXT = 8;

/**
 * Embeddings of the official API and of compatible servers. One request as long as the texts fit its limits. `model`
 * includes the dimensions, because shortened vectors are another vector space.
 */
export class OpenAIEmbedder implements EmbeddingProvider {
  readonly name = NAME;
  readonly model: string;
  readonly dimensions: number;
  readonly profile: SimilarityProfile;
  private readonly api: Promise<EmbeddingsApi>;
  private readonly catalog: PricingCatalog;

  constructor(private readonly options: OpenAIEmbedderOptions) {
    this.dimensions = options.dimensions;
    this.model = `${options.model}-${options.dimensions}`;
    this.profile = options.profile ?? findModelFacts(options.model).profile;
    this.catalog = options.catalog ?? loadPricingCatalog();
    // Loads OpenAI's SDK, which only the processes with this embedder need.
    this.api = loadSdk(NAME, async () => new (await import('./embeddings-api.js')).EmbeddingsApi(options));
  }

  /** @throws LLMError, or the signal's reason when it was aborted. */
  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<EmbeddingResult> {
    signal.throwIfAborted();
    const result: EmbeddingResult = { vectors: [], usage: { inputTokens: 0, costMicroUsd: 0, requests: 0 } };
    if (texts.length === 0) return result;
    for (const batch of await splitBatches(texts)) {
      const { vectors, inputTokens, requests } = await this.embedNext(batch, result.usage, signal);
      result.vectors.push(...vectors);
      result.usage.inputTokens += inputTokens ?? estimateTokens(batch);
      result.usage.requests += requests;
      if (inputTokens === undefined) result.usage.estimated = true;
    }
    result.usage.costMicroUsd = this.estimateCost(result.usage.inputTokens);
    return result;
  }

  estimateMaxCost(texts: readonly string[]): number {
    return this.estimateCost(
      texts.reduce((total, text) => total + Buffer.byteLength(text) + TOKEN_OVERHEAD_PER_TEXT, 0),
    );
  }

  private estimateCost(tokens: number): number {
    const model: PricedModel = { provider: NAME, model: this.options.model };
    if (!this.catalog.has(model)) return 0;
    return this.catalog.price(model, { inputTokens: tokens, outputTokens: 0 }, this.options.clock.now());
  }

  /**
   * An error response includes the usage of the earlier requests, which are charged. For a request without a response
   * it is unknown whether it was charged, so its error contains no usage.
   */
  private async embedNext(texts: readonly string[], before: EmbeddingUsage, signal: AbortSignal) {
    try {
      return await (await this.api).embed(texts, signal);
    } catch (error) {
      if (!(error instanceof LLMError) || error.status === undefined || before.requests === 0) throw error;
      const usage = { inputTokens: before.inputTokens, outputTokens: 0 };
      const costMicroUsd = this.estimateCost(before.inputTokens);
      throw addDetails(error, { usage, costMicroUsd });
    }
  }
}

function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + estimateTokensByLength(text), 0);
}
