import OpenAI, { APIError } from 'openai';
import type { LLMError } from '../../provider/llm-error.js';
import { OPENAI_LIMIT_HEADERS } from '../../provider/parse-limit-headers.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import { mapOpenAIError } from '../../provider/map-openai-error.js';
import { parseRejection, type Rejection, type RequestPlan } from '../remote/endpoint-capabilities.js';
import type { ModelsApi } from '../remote/inspect-model.js';
import type { AnswerFinishReason, ReceivedAnswer } from '../remote/received-answer.js';
import type { ReadBody, RemoteApi, RemoteOptions } from '../remote/remote-provider.js';
import {
  OPENAI_MODE_PATTERN,
  buildOpenAIRequest,
  listOpenAIParameters,
  type OpenAITarget,
} from './build-openai-request.js';
import { readOpenAIUsage } from './openai-usage.js';

type Completion = OpenAI.Chat.ChatCompletion;
type Chunk = OpenAI.Chat.ChatCompletionChunk;

/** Chat Completions, over OpenAI's SDK, which does not retry (docs/reference/model-calls.md#retries). */
export class OpenAIApi implements RemoteApi {
  private readonly client: OpenAI;

  constructor(
    private readonly options: RemoteOptions,
    private readonly target: OpenAITarget,
  ) {
    this.client = new OpenAI({
      apiKey: options.apiKey,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: options.baseUrl,
      timeout: options.timeoutMs,
      maxRetries: 0,
      logLevel: 'off',
      fetch: fetchWithReadableErrors,
    });
  }

  async request(
    request: LLMRequest,
    plan: RequestPlan,
    received: ReceivedAnswer,
    signal: AbortSignal,
  ): Promise<ReadBody> {
    const body = buildOpenAIRequest(this.target, request, plan);
    const { completions } = this.client.chat;
    if (!received.isStreamed) {
      const answer = await completions.create(body, { signal }).withResponse();
      received.readHeaders(answer, OPENAI_LIMIT_HEADERS, this.options.clock.now());
      readCompletion(answer.data, received);
      return async () => {};
    }
    const usage = plan.rejected.has('stream_options') ? {} : { stream_options: { include_usage: true } };
    const answer = await completions.create({ ...body, ...usage, stream: true }, { signal }).withResponse();
    received.readHeaders(answer, OPENAI_LIMIT_HEADERS, this.options.clock.now());
    return () => readStream(answer.data, received);
  }

  parseRejection(error: unknown, plan: RequestPlan): Rejection | undefined {
    if (!(error instanceof APIError)) return undefined;
    return parseRejection(error, plan, listOpenAIParameters(this.target), OPENAI_MODE_PATTERN);
  }

  mapError(error: unknown): LLMError {
    return mapOpenAIError(error, 'openai', this.options.clock.now());
  }

  createModelsApi(signal: AbortSignal): Pick<ModelsApi, 'retrieve' | 'list'> {
    return {
      retrieve: async () => {
        const { id, shutdown_date: retiresAt } = await this.client.models.retrieve(this.options.model, { signal });
        return { id, retiresAt };
      },
      list: async () => {
        const { data } = await this.client.models.list({ signal });
        return data.map(({ id, shutdown_date: retiresAt }) => ({ id, retiresAt }));
      },
    };
  }
}

/** Reads a complete answer. A refusal is checked separately, because it has no finish reason (provider facts §3.2). */
function readCompletion(completion: Completion, received: ReceivedAnswer): void {
  received.usage = readOpenAIUsage(completion.usage);
  const choice = (completion.choices as Completion['choices'] | undefined)?.[0];
  if (!choice) return;
  received.addText(choice.message.content ?? '');
  received.end = choice.message.refusal ? 'refused' : mapFinishReason(choice.finish_reason);
}

/** Reads a streamed answer to its end or to where the stream breaks: `end` is set when a finish reason was received. */
async function readStream(chunks: AsyncIterable<Chunk>, received: ReceivedAnswer): Promise<void> {
  let isRefusal = false;
  for await (const chunk of chunks) {
    received.usage = readOpenAIUsage(chunk.usage) ?? received.usage;
    // The last chunk, with the usage, has no choices.
    const choice = (chunk.choices as Chunk['choices'] | undefined)?.[0];
    if (!choice) continue;
    isRefusal ||= Boolean(choice.delta.refusal);
    received.addText(choice.delta.content ?? '');
    if (choice.finish_reason) received.end = isRefusal ? 'refused' : mapFinishReason(choice.finish_reason);
  }
}

function mapFinishReason(reason: string | null | undefined): AnswerFinishReason {
  switch (reason) {
    case 'length':
      return 'length';
    case 'content_filter':
      return 'refused';
    default:
      return 'stop';
  }
}

/** Enough of an error message to recognise the rejected parameter. */
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * `fetch` for the OpenAI SDK, which parses errors only as `{ "error": … }`: error bodies of another shape (`{ "detail":
 * … }`, `{ "message": … }`) are wrapped in it, so that their messages are available.
 */
async function fetchWithReadableErrors(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(hasError(text) ? text : wrap(text), { status, statusText, headers: dropLength(headers) });
}

function hasError(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'error' in body;
  } catch {
    return false;
  }
}

function wrap(text: string): string {
  return JSON.stringify({ error: { message: text.slice(0, MAX_MESSAGE_LENGTH) } });
}

/** The body was decoded and its length may have changed. */
function dropLength(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-length');
  copy.delete('content-encoding');
  return copy;
}
