import Anthropic, { APIError } from '@anthropic-ai/sdk';
import type { LLMError } from '../../provider/llm-error.js';
import { CLAUDE_LIMIT_HEADERS, readRateLimits } from '../../provider/headers/read-rate-limits.js';
import type { ProviderCapabilities } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import { loadTokenCounter } from '../../tokens/count-tokens.js';
import { estimateTokens } from '../../tokens/estimate-tokens.js';
import type { Refusal, RequestPlan } from '../remote/endpoint-traits.js';
import type { ModelShelf } from '../remote/inspect-model.js';
import { readRefusal } from '../remote/read-refusal.js';
import type { ReceivedAnswer } from '../remote/received-answer.js';
import type { RemoteProviderOptions } from '../remote/remote-provider-options.js';
import { RemoteProvider } from '../remote/remote-provider.js';
import type { ReadRest } from '../remote/remote-provider.js';
import { CLAUDE_MODE_NAMES, buildClaudeRequest, listClaudeParameters } from './build-claude-request.js';
import { findClaudeModel } from './claude-models.js';
import { mapClaudeError } from './map-claude-error.js';
import { readClaudeMessage, readClaudeStream } from './read-claude-answer.js';

/** `baseUrl` is without `/v1`. */
export type ClaudeProviderOptions = RemoteProviderOptions;

const NAME = 'claude';
const OFFICIAL_URL = 'https://api.anthropic.com';

/** o200k undercounts Claude by 15 to 20 % on plain text and by more on the rest (provider facts §4). */
const CAUTION = 1.35;

/** A count is for planning: not worth a long wait. */
const MAX_COUNTING_MS = 5_000;

/** Claude through the Messages API. No retries of its own (decision 7). */
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
        { timeout: Math.min(this.options.timeoutMs, MAX_COUNTING_MS) },
      );
      if (Number.isInteger(tokens)) return tokens;
    } catch {
      // The estimate below needs nobody.
    }
    await loadTokenCounter();
    return this.estimateTokens(text);
  }

  estimateTokens(text: string): number {
    return Math.ceil(estimateTokens(text) * CAUTION);
  }

  getCapabilities(): ProviderCapabilities {
    const { maxInputTokens, maxOutputTokens } = findClaudeModel(this.model);
    return {
      streaming: true,
      remote: true,
      languages: 'any',
      maxInputTokens,
      maxOutputTokens,
      structuredOutput: this.traits.mode,
      promptCaching: true,
    };
  }

  protected async ask(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadRest> {
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

  protected readRefusal(error: unknown, plan: RequestPlan): Refusal | undefined {
    if (!(error instanceof APIError)) return undefined;
    return readRefusal(error, plan, listClaudeParameters(plan), CLAUDE_MODE_NAMES);
  }

  protected mapError(error: unknown): LLMError {
    return mapClaudeError(error, NAME, this.options.clock.now());
  }

  protected openShelf(signal: AbortSignal): Pick<ModelShelf, 'retrieve' | 'list'> {
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
    received.rateLimits = readRateLimits(response.headers, CLAUDE_LIMIT_HEADERS, this.options.clock.now());
    received.providerRequestId = requestId ?? undefined;
  }
}
