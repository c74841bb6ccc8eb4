import type { Clock } from '@annals/domain';
import OpenAI, { BadRequestError, UnprocessableEntityError } from 'openai';
import { loadPricingCatalog } from '../../pricing/load-pricing-catalog.js';
import type { PricedModel, PricingCatalog } from '../../pricing/pricing-catalog.js';
import { addDetails } from '../../provider/add-details.js';
import { LLMError } from '../../provider/llm-error.js';
import { mapOpenAIError } from '../../provider/map-openai-error.js';
import type {
  EmbedOptions,
  EmbeddingProvider,
  EmbeddingResult,
  EmbeddingUsage,
  SimilarityProfile,
} from '../embedding-provider.js';
import { findModelFacts } from './model-facts.js';
import { parseVectors } from './parse-vectors.js';
import { splitBatches } from './split-batches.js';

export interface OpenAIEmbedderOptions {
  apiKey: string;
  /** Includes `/v1`; any compatible server (Ollama, vLLM, llama.cpp, TEI). */
  baseUrl: string;
  model: string;
  /** Dimensions of the vectors. Sent to the server only if the model can shorten them. */
  dimensions: number;
  /** Timeout of one request in ms, from sending to the end of the response. */
  timeoutMs: number;
  /** Default: the shipped prices. A model without a price is free: it runs on a self-hosted server. */
  catalog?: PricingCatalog;
  profile?: SimilarityProfile;
  clock: Clock;
}

const NAME = 'openai';
/** Special tokens that a model adds around a text, and the space that replaces an empty one. */
const TOKEN_OVERHEAD_PER_TEXT = 8;
type Encoding = 'base64' | 'float';

/**
 * Embeddings of the official API and of compatible servers. One request as long as the texts fit its limits; the SDK
 * does not retry (docs/reference/model-calls.md#retries). `model` includes the dimensions, because shortened vectors
 * are another vector space.
 */
export class OpenAIEmbedder implements EmbeddingProvider {
  readonly name = NAME;
  readonly model: string;
  readonly dimensions: number;
  readonly profile: SimilarityProfile;
  private readonly client: OpenAI;
  private readonly catalog: PricingCatalog;
  // base64 has a quarter of the bytes of a float response; servers that reject it are sent `float` from then on.
  private encoding: Encoding = 'base64';

  constructor(private readonly options: OpenAIEmbedderOptions) {
    this.dimensions = options.dimensions;
    this.model = `${options.model}-${options.dimensions}`;
    this.profile = options.profile ?? findModelFacts(options.model).profile;
    this.catalog = options.catalog ?? loadPricingCatalog();
    this.client = new OpenAI({
      apiKey: options.apiKey,
      baseURL: options.baseUrl,
      timeout: options.timeoutMs,
      maxRetries: 0,
      organization: null,
      project: null,
      logLevel: 'off',
    });
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
      return await this.embedBatch(texts, signal);
    } catch (error) {
      if (!(error instanceof LLMError) || error.status === undefined || before.requests === 0) throw error;
      const usage = { inputTokens: before.inputTokens, outputTokens: 0 };
      const costMicroUsd = this.estimateCost(before.inputTokens);
      throw addDetails(error, { usage, costMicroUsd });
    }
  }

  private async embedBatch(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; inputTokens: number | undefined; requests: number }> {
    const { encoding } = this;
    try {
      return { ...(await this.request(texts, encoding, signal)), requests: 1 };
    } catch (error) {
      signal.throwIfAborted();
      if (encoding === 'float' || !isEncodingRefused(error))
        throw mapOpenAIError(error, NAME, this.options.clock.now());
    }
    this.encoding = 'float';
    try {
      return { ...(await this.request(texts, 'float', signal)), requests: 2 };
    } catch (error) {
      signal.throwIfAborted();
      throw mapOpenAIError(error, NAME, this.options.clock.now());
    }
  }

  private async request(
    texts: readonly string[],
    encoding: Encoding,
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; inputTokens: number | undefined }> {
    // The SDK's own timeout ends with the response headers; a stalled body would never time out.
    const deadline = AbortSignal.timeout(this.options.timeoutMs);
    try {
      const answer = await this.client.embeddings.create(this.buildRequest(texts, encoding), {
        signal: AbortSignal.any([signal, deadline]),
      });
      const tokens = (answer.usage as { prompt_tokens?: number } | undefined)?.prompt_tokens;
      return {
        vectors: parseVectors(answer.data, texts.length, this.dimensions),
        inputTokens: tokens,
      };
    } catch (error) {
      if (deadline.aborted && !signal.aborted)
        throw new LLMError('timeout', 'openai did not answer in time.', { provider: NAME });
      throw error;
    }
  }

  private buildRequest(texts: readonly string[], encoding: Encoding): OpenAI.EmbeddingCreateParams {
    const { model, dimensions } = this.options;
    const { canShorten } = findModelFacts(model);
    return { model, input: texts.map(fillEmpty), encoding_format: encoding, ...(canShorten ? { dimensions } : {}) };
  }
}

/**
 * Token estimate where the server reports no count: a quarter of the characters
 * (docs/reference/model-calls.md#token-counts-and-estimates).
 */
function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + Math.ceil(text.length / 4), 0);
}

/** The API rejects an empty string; a space has a vector. */
function fillEmpty(text: string): string {
  return text === '' ? ' ' : text;
}

/** Some compatible servers support only floats and reject the request as malformed. */
function isEncodingRefused(error: unknown): boolean {
  if (!(error instanceof BadRequestError || error instanceof UnprocessableEntityError)) return false;
  return /encoding_format|base64/i.test(`${error.param ?? ''} ${error.message}`);
}
