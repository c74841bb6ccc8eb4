import Anthropic, { APIError } from '@anthropic-ai/sdk';
import type { Message, RawMessageStreamEvent, StopReason } from '@anthropic-ai/sdk/resources/messages';
import type { LLMError } from '../../provider/llm-error.js';
import { CLAUDE_LIMIT_HEADERS } from '../../provider/parse-limit-headers.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import { parseRejection, type Rejection, type RequestPlan } from '../remote/endpoint-capabilities.js';
import type { ModelsApi } from '../remote/inspect-model.js';
import type { AnswerFinishReason, ReceivedAnswer } from '../remote/received-answer.js';
import type { ReadBody, RemoteApi, RemoteOptions } from '../remote/remote-provider.js';
import { CLAUDE_MODE_PATTERN, buildClaudeRequest, listClaudeParameters } from './build-claude-request.js';
import { type ClaudeUsage, mergeUsage, sumUsage } from './claude-usage.js';
import { mapClaudeError } from './map-claude-error.js';

/** Counts are only for planning, so a long wait is not worthwhile. */
const MAX_COUNT_TOKENS_MS = 5_000;

/** The Messages API, over Anthropic's SDK, which does not retry (docs/reference/model-calls.md#retries). */
export class ClaudeApi implements RemoteApi {
  private readonly client: Anthropic;

  constructor(private readonly options: RemoteOptions) {
    this.client = new Anthropic({
      apiKey: options.apiKey,
      authToken: null,
      webhookKey: null,
      baseURL: options.baseUrl,
      timeout: options.timeoutMs,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
    });
  }

  /** Undefined if the server does not count tokens, or not in time. */
  async countTokens(text: string): Promise<number | undefined> {
    try {
      const { input_tokens: tokens } = await this.client.messages.countTokens(
        { model: this.options.model, messages: [{ role: 'user', content: text }] },
        { timeout: Math.min(this.options.timeoutMs, MAX_COUNT_TOKENS_MS) },
      );
      return Number.isInteger(tokens) ? tokens : undefined;
    } catch {
      return undefined;
    }
  }

  async request(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadBody> {
    const body = buildClaudeRequest(this.options.model, request, plan);
    const { messages } = this.client;
    if (!received.isStreamed) {
      const answer = await messages.create(body, { signal }).withResponse();
      received.readHeaders(answer, CLAUDE_LIMIT_HEADERS, this.options.clock.now());
      readMessage(answer.data, received);
      return async () => {};
    }
    const answer = await messages.create({ ...body, stream: true }, { signal }).withResponse();
    received.readHeaders(answer, CLAUDE_LIMIT_HEADERS, this.options.clock.now());
    return () => readStream(answer.data, received);
  }

  parseRejection(error: unknown, plan: RequestPlan): Rejection | undefined {
    if (!(error instanceof APIError)) return undefined;
    return parseRejection(error, plan, listClaudeParameters(plan), CLAUDE_MODE_PATTERN);
  }

  mapError(error: unknown): LLMError {
    return mapClaudeError(error, 'claude', this.options.clock.now());
  }

  createModelsApi(signal: AbortSignal): Pick<ModelsApi, 'retrieve' | 'list'> {
    return {
      retrieve: async () => {
        const { id, retires_at: retiresAt } = await this.client.models.retrieve(this.options.model, {}, { signal });
        return { id, retiresAt };
      },
      list: async () => {
        const { data } = await this.client.models.list({ limit: 1_000 }, { signal });
        return data.map(({ id, retires_at: retiresAt }) => ({ id, retiresAt }));
      },
    };
  }
}

/** Reads a complete answer. Only text blocks are used, not thinking or tool calls. */
function readMessage(message: Message, received: ReceivedAnswer): void {
  received.usage = sumUsage(message.usage);
  for (const block of message.content) {
    if (block.type === 'text') received.addText(block.text);
  }
  received.end = mapFinishReason(message.stop_reason);
}

/** Reads a streamed answer to its end or to where the stream breaks: `end` is set by its last event only. */
async function readStream(events: AsyncIterable<RawMessageStreamEvent>, received: ReceivedAnswer): Promise<void> {
  let usage: ClaudeUsage = {};
  let stopReason: StopReason | null = null;
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        usage = mergeUsage(usage, event.message.usage);
        received.usage = sumUsage(usage);
        break;
      case 'content_block_start':
        if (event.content_block.type === 'text') received.addText(event.content_block.text);
        break;
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') received.addText(event.delta.text);
        break;
      case 'message_delta':
        // Usage is cumulative: the last event counts.
        usage = mergeUsage(usage, event.usage);
        received.usage = sumUsage(usage);
        stopReason = event.delta.stop_reason;
        break;
      case 'message_stop':
        received.end = mapFinishReason(stopReason);
        break;
      default:
        break;
    }
  }
}

function mapFinishReason(stopReason: StopReason | null): AnswerFinishReason {
  switch (stopReason) {
    case 'refusal':
      return 'refused';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    default:
      return 'stop';
  }
}
