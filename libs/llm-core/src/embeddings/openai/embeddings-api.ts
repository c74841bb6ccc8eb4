import { type Clock, startDeadline } from '@annals/domain';
import OpenAI, { BadRequestError, UnprocessableEntityError } from 'openai';
import { LLMError } from '../../provider/llm-error.js';
import { mapOpenAIError } from '../../provider/map-openai-error.js';
import { findModelFacts } from '../model-facts.js';
import { parseVectors } from './parse-vectors.js';

export interface EmbeddingsApiOptions {
  apiKey: string;
  /** Includes `/v1`; any compatible server (Ollama, vLLM, llama.cpp, TEI). */
  baseUrl: string;
  model: string;
  /** Dimensions of the vectors. Sent to the server only if the model can shorten them. */
  dimensions: number;
  /** Timeout of one request in ms, from sending to the end of the response. */
  timeoutMs: number;
  clock: Clock;
}

interface EmbeddedTexts {
  vectors: Float32Array[];
  /** Undefined if the server reports no count. */
  inputTokens: number | undefined;
}

type Encoding = 'base64' | 'float';

/** The embeddings API, over OpenAI's SDK, which does not retry (docs/reference/model-calls.md#retries). */
export class EmbeddingsApi {
  private readonly client: OpenAI;
  // base64 has a quarter of the bytes of a float response; servers that reject it are sent `float` from then on.
  private encoding: Encoding = 'base64';

  constructor(private readonly options: EmbeddingsApiOptions) {
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

  /** @throws LLMError, or the signal's reason when it was aborted */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddedTexts & { requests: number }> {
    const { encoding } = this;
    try {
      return { ...(await this.request(texts, encoding, signal)), requests: 1 };
    } catch (error) {
      if (encoding === 'float' || !isEncodingRefused(error)) throw this.mapError(error, signal);
    }
    this.encoding = 'float';
    try {
      return { ...(await this.request(texts, 'float', signal)), requests: 2 };
    } catch (error) {
      throw this.mapError(error, signal);
    }
  }

  private async request(texts: readonly string[], encoding: Encoding, signal: AbortSignal): Promise<EmbeddedTexts> {
    // The SDK's own timeout ends with the response headers; a stalled body would never time out.
    const { clock, timeoutMs } = this.options;
    const deadline = startDeadline(clock, timeoutMs, createTimeout);
    try {
      const answer = await this.client.embeddings.create(this.buildRequest(texts, encoding), {
        signal: AbortSignal.any([signal, deadline.signal]),
      });
      const inputTokens = (answer.usage as { prompt_tokens?: number } | undefined)?.prompt_tokens;
      return { vectors: parseVectors(answer.data, texts.length, this.options.dimensions), inputTokens };
    } catch (error) {
      if (deadline.signal.aborted && !signal.aborted) throw createTimeout();
      throw error;
    } finally {
      deadline.timer.stop();
    }
  }

  private mapError(error: unknown, signal: AbortSignal): LLMError {
    signal.throwIfAborted();
    return mapOpenAIError(error, 'openai', this.options.clock.now());
  }

  private buildRequest(texts: readonly string[], encoding: Encoding): OpenAI.EmbeddingCreateParams {
    const { model, dimensions } = this.options;
    const { canShorten } = findModelFacts(model);
    return { model, input: texts.map(fillEmpty), encoding_format: encoding, ...(canShorten ? { dimensions } : {}) };
  }
}

function createTimeout(): LLMError {
  return new LLMError('timeout', 'openai did not answer in time.', { provider: 'openai' });
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
