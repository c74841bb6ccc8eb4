import Anthropic, { APIError } from '@anthropic-ai/sdk';
import type { LLMError } from '../../provider/llm-error.js';
import { CLAUDE_LIMIT_HEADERS, parseRateLimits } from '../../provider/headers/parse-rate-limits.js';
import type { ProviderCapabilities } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import { loadTokenCounter } from '../../tokens/count-tokens.js';
import { estimateTokens } from '../../tokens/estimate-tokens.js';
import type { Rejection, RequestPlan } from '../remote/endpoint-capabilities.js';
import type { ModelsApi } from '../remote/inspect-model.js';
import { parseRejection } from '../remote/parse-rejection.js';
import type { ReceivedAnswer } from '../remote/received-answer.js';
import type { RemoteProviderOptions } from '../remote/remote-provider-options.js';
import { RemoteProvider } from '../remote/remote-provider.js';
import type { ReadBody } from '../remote/remote-provider.js';
import { CLAUDE_MODE_PATTERN, buildClaudeRequest, listClaudeParameters } from './build-claude-request.js';
import { findClaudeModel } from './claude-models.js';
import { mapClaudeError } from './map-claude-error.js';
import { readClaudeMessage, readClaudeStream } from './read-claude-answer.js';

/** Options of the Claude provider; `baseUrl` is without `/v1`. */
export type ClaudeProviderOptions = RemoteProviderOptions;

const NAME = 'claude';
const OFFICIAL_URL = 'https://api.anthropic.com';

/** o200k undercounts Claude by 15 to 20 % on plain text and by more on other text (provider facts §4). */
const TOKEN_SAFETY_FACTOR = 1.35;

/** Counts are only for planning, so a long wait is not worthwhile. */
const MAX_COUNT_TOKENS_MS = 5_000;

/** Claude through the Messages API. The SDK does not retry (docs/reference/model-calls.md#retries). */
export class ClaudeProvider extends RemoteProvider {
  private readonly client: Anthropic;

  /** @throws ConfigError when the model has no price. */
  constructor(options: ClaudeProviderOptions) {
    const baseUrl = options.baseUrl ?? OFFICIAL_URL;
    super(NAME, { ...options, baseUrl, isFree: false }, ['schema', 'text']);
    this.client = new Anthropic({
      apiKey: options.apiKey,
      authToken: null,
      webhookKey: null,
      baseURL: baseUrl,
      timeout: options.timeoutMs,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
    });
  }

  async countTokens(text: string): Promise<number> {
    if (text === '') return 0;
    try {
      const { input_tokens: tokens } = await this.client.messages.countTokens(
        { model: this.model, messages: [{ role: 'user', content: text }] },
        { timeout: Math.min(this.options.timeoutMs, MAX_COUNT_TOKENS_MS) },
      );
      if (Number.isInteger(tokens)) return tokens;
    } catch {
      // The estimate below needs no server.
    }
    await loadTokenCounter();
    return this.estimateTokens(text);
  }

  estimateTokens(text: string): number {
    return Math.ceil(estimateTokens(text) * TOKEN_SAFETY_FACTOR);
  }

  getCapabilities(): ProviderCapabilities {
    const { maxInputTokens, maxOutputTokens } = findClaudeModel(this.model);
    return {
      streaming: true,
      remote: true,
      languages: 'any',
      maxInputTokens,
      maxOutputTokens,
      structuredOutput: this.capabilities.mode,
      promptCaching: true,
    };
  }

  protected async requestOnce(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadBody> {
    const body = buildClaudeRequest(this.model, request, plan);
    if (!received.isStreamed) {
      const answer = await this.client.messages.create(body, { signal }).withResponse();
      this.readHeaders(answer, received);
      readClaudeMessage(answer.data, received);
      return async () => {};
    }
    const answer = await this.client.messages.create({ ...body, stream: true }, { signal }).withResponse();
    this.readHeaders(answer, received);
    return () => readClaudeStream(answer.data, received);
  }

  protected parseRejection(error: unknown, plan: RequestPlan): Rejection | undefined {
    if (!(error instanceof APIError)) return undefined;
    return parseRejection(error, plan, listClaudeParameters(plan), CLAUDE_MODE_PATTERN);
  }

  protected mapError(error: unknown): LLMError {
    return mapClaudeError(error, NAME, this.options.clock.now());
  }

  protected createModelsApi(signal: AbortSignal): Pick<ModelsApi, 'retrieve' | 'list'> {
    return {
      retrieve: async () => {
        const { id, retires_at: retiresAt } = await this.client.models.retrieve(this.model, {}, { signal });
        return { id, retiresAt };
      },
      list: async () => {
        const { data } = await this.client.models.list({ limit: 1_000 }, { signal });
        return data.map(({ id, retires_at: retiresAt }) => ({ id, retiresAt }));
      },
    };
  }

  private readHeaders(
    { response, request_id: requestId }: { response: Response; request_id: string | null | undefined },
    received: ReceivedAnswer,
  ): void {
    received.rateLimits = parseRateLimits(response.headers, CLAUDE_LIMIT_HEADERS, this.options.clock.now());
    received.providerRequestId = requestId ?? undefined;
  }
}
