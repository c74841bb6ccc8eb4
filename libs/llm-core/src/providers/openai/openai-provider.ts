import OpenAI, { APIError } from 'openai';
import type { LLMError } from '../../provider/llm-error.js';
import { OPENAI_LIMIT_HEADERS, parseRateLimits } from '../../provider/headers/parse-rate-limits.js';
import type { ProviderCapabilities } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import { mapOpenAIError } from '../../provider/map-openai-error.js';
import { countTokens } from '../../tokens/count-tokens.js';
import { estimateTokens } from '../../tokens/estimate-tokens.js';
import type { Rejection, RequestPlan } from '../remote/endpoint-capabilities.js';
import type { ModelsApi } from '../remote/inspect-model.js';
import { parseRejection } from '../remote/parse-rejection.js';
import type { ReceivedAnswer } from '../remote/received-answer.js';
import type { RemoteProviderOptions } from '../remote/remote-provider-options.js';
import { RemoteProvider } from '../remote/remote-provider.js';
import type { ReadBody } from '../remote/remote-provider.js';
import { OPENAI_MODE_PATTERN, buildOpenAIRequest, listOpenAIParameters } from './build-openai-request.js';
import type { OpenAITarget } from './build-openai-request.js';
import { findOpenAIModel } from './openai-models.js';
import { readOpenAICompletion, readOpenAIStream } from './read-openai-answer.js';
import { fetchWithReadableErrors } from './fetch-with-readable-errors.js';

/**
 * Options of the OpenAI provider; `baseUrl` includes `/v1`: the official API or any server that implements Chat
 * Completions.
 */
export interface OpenAIProviderOptions extends RemoteProviderOptions {
  /** True if calls are free (a self-hosted server): the model needs no price, and its calls are charged 0. */
  isFree: boolean;
}

const NAME = 'openai';
const OFFICIAL_URL = 'https://api.openai.com/v1';

/**
 * OpenAI's Chat Completions and compatible servers: vLLM, Ollama, llama.cpp, LM Studio. Parameters that a server has
 * rejected are omitted from then on. The SDK does not retry (docs/reference/model-calls.md#retries).
 */
export class OpenAIProvider extends RemoteProvider {
  private readonly client: OpenAI;
  private readonly target: OpenAITarget;

  /** @throws ConfigError when the model has no price and is not free. */
  constructor(options: OpenAIProviderOptions) {
    const baseUrl = options.baseUrl ?? OFFICIAL_URL;
    super(NAME, { ...options, baseUrl }, ['schema', 'json_object', 'text']);
    this.target = { model: options.model, isOfficial: new URL(baseUrl).hostname === new URL(OFFICIAL_URL).hostname };
    this.client = new OpenAI({
      apiKey: options.apiKey,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: baseUrl,
      timeout: options.timeoutMs,
      maxRetries: 0,
      logLevel: 'off',
      fetch: fetchWithReadableErrors,
    });
  }

  countTokens(text: string): Promise<number> {
    return countTokens(text);
  }

  estimateTokens(text: string): number {
    return estimateTokens(text);
  }

  getCapabilities(): ProviderCapabilities {
    const { maxInputTokens, maxOutputTokens } = findOpenAIModel(this.model);
    return {
      streaming: true,
      remote: true,
      languages: 'any',
      maxInputTokens,
      maxOutputTokens,
      structuredOutput: this.capabilities.mode,
      promptCaching: this.target.isOfficial,
    };
  }

  protected async requestOnce(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadBody> {
    const body = buildOpenAIRequest(this.target, request, plan);
    if (!received.isStreamed) {
      const answer = await this.client.chat.completions.create(body, { signal }).withResponse();
      this.readHeaders(answer, received);
      readOpenAICompletion(answer.data, received);
      return async () => {};
    }
    const usage = plan.rejected.has('stream_options') ? {} : { stream_options: { include_usage: true } };
    const answer = await this.client.chat.completions
      .create({ ...body, ...usage, stream: true }, { signal })
      .withResponse();
    this.readHeaders(answer, received);
    return () => readOpenAIStream(answer.data, received);
  }

  protected parseRejection(error: unknown, plan: RequestPlan): Rejection | undefined {
    if (!(error instanceof APIError)) return undefined;
    return parseRejection(error, plan, listOpenAIParameters(this.target), OPENAI_MODE_PATTERN);
  }

  protected mapError(error: unknown): LLMError {
    return mapOpenAIError(error, NAME, this.options.clock.now());
  }

  protected createModelsApi(signal: AbortSignal): Pick<ModelsApi, 'retrieve' | 'list'> {
    return {
      retrieve: async () => {
        const { id, shutdown_date: retiresAt } = await this.client.models.retrieve(this.model, { signal });
        return { id, retiresAt };
      },
      list: async () => {
        const { data } = await this.client.models.list({ signal });
        return data.map(({ id, shutdown_date: retiresAt }) => ({ id, retiresAt }));
      },
    };
  }

  private readHeaders(
    { response, request_id: requestId }: { response: Response; request_id: string | null },
    received: ReceivedAnswer,
  ): void {
    received.rateLimits = parseRateLimits(response.headers, OPENAI_LIMIT_HEADERS, this.options.clock.now());
    received.providerRequestId = requestId ?? undefined;
  }
}
