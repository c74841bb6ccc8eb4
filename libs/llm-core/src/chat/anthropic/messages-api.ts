import Anthropic, { APIError, type ClientOptions } from '@anthropic-ai/sdk';
import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Stream } from '@anthropic-ai/sdk/streaming';
import type { Clock } from '@annals/domain';
import { Agent, fetch } from 'undici';
import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { CLAUDE_URL } from '../../providers/claude/claude-models.js';
import { mapClaudeError } from '../../providers/claude/map-claude-error.js';
import { sumUsage } from '../../providers/claude/claude-usage.js';
import type { ChatAnswer, ChatOutcome, ChatRequest } from '../chat-upstream.js';
import { ChatRequestError } from './chat-request-error.js';
import { ChunkTranslator } from './chunk-translator.js';
import { buildHeaders } from './answer-headers.js';
import { joinTexts, translateAnswer } from './translate-answer.js';
import { describeBrokenAnswer, describeRequestError, translateError } from './translate-error.js';
import { type AnswerForm, translateRequest } from './translate-request.js';

export interface MessagesApiOptions {
  /** Without `/v1`. Default: the official API. */
  readonly baseUrl?: string | undefined;
  /** From sending a request to the beginning of its answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Of requests that set no limit, if the model can write that much. */
  readonly defaultMaxTokens?: number | undefined;
}

type Fetch = NonNullable<ClientOptions['fetch']>;

const NOTHING: ChatOutcome = { texts: [], usage: undefined, isComplete: false };

/** Headers of the client that mean something to Anthropic; the SDK writes the others itself. */
const PASSED_HEADERS = ['anthropic-beta', 'idempotency-key', 'x-client-request-id'];

/** The SDK’s own timeout applies until an answer begins; then a model may think for as long as its caller waits. */
const NO_TIMEOUT = 0;

/** The Messages API in OpenAI’s form, over Anthropic’s SDK, which does not retry. */
export class MessagesApi {
  private readonly dispatcher = new Agent({ headersTimeout: NO_TIMEOUT, bodyTimeout: NO_TIMEOUT });

  constructor(private readonly options: MessagesApiOptions) {}

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  async complete(request: ChatRequest): Promise<ChatAnswer> {
    try {
      const { body, form, ignored } = translateRequest(parseBody(request.body), this.options);
      return await this.send(request, body, form, ignored);
    } catch (error) {
      if (error instanceof ChatRequestError) return answerWith(400, describeRequestError(error));
      return this.answerError(error, request);
    }
  }

  async listModels(request: Pick<ChatRequest, 'apiKey' | 'signal'>): Promise<ChatAnswer> {
    try {
      const { signal } = request;
      const { data: page, response } = await this.connect(request)
        .models.list({ limit: 1_000 }, { signal })
        .withResponse();
      const data: JsonObject[] = [];
      for await (const { id, created_at: created } of page) {
        data.push({ id, object: 'model', created: toSeconds(Date.parse(created)), owned_by: 'anthropic' });
      }
      return answerWith(200, { object: 'list', data }, response.headers);
    } catch (error) {
      return this.answerError(error, request);
    }
  }

  private async send(
    request: ChatRequest,
    body: JsonObject,
    { isStreamed, hasUsage, usesFunctions }: AnswerForm,
    ignored: readonly string[],
  ): Promise<ChatAnswer> {
    const { signal, withholdsUsage = false } = request;
    const created = toSeconds(this.options.clock.now());
    const context = { created, usesFunctions, hasUsage: hasUsage && !withholdsUsage };
    // Not by `messages.create`, which writes warnings about a client’s models to the console.
    const sent = this.connect(request).post<Message | Stream<RawMessageStreamEvent>>('/v1/messages', {
      body,
      stream: isStreamed,
      signal,
      headers: passHeaders(request.headers),
    });
    const { data, response } = await sent.withResponse();
    const headers = buildHeaders(response.headers, { isStreamed, ignored });
    if (!isStreamed) return answerMessage(data as Message, headers, context);
    return answerStream(data as AsyncIterable<RawMessageStreamEvent>, headers, new ChunkTranslator(context), signal);
  }

  /** @throws LLMError of a connection that failed; the reason of the signal. */
  private answerError(error: unknown, { signal }: Pick<ChatRequest, 'signal'>): ChatAnswer {
    signal.throwIfAborted();
    if (error instanceof APIError && error.status !== undefined) {
      return answerWith(error.status, translateError(error), error.headers);
    }
    throw mapClaudeError(error, 'claude', this.options.clock.now());
  }

  private connect({ apiKey }: Pick<ChatRequest, 'apiKey'>): Anthropic {
    return new Anthropic({
      apiKey,
      authToken: null,
      webhookKey: null,
      baseURL: this.options.baseUrl ?? CLAUDE_URL,
      timeout: this.options.timeoutMs,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
      fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher: this.dispatcher })) as unknown as Fetch,
    });
  }
}

function passHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PASSED_HEADERS.includes(name)));
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

function parseBody(body: Buffer): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    // Told below.
  }
  if (isJsonObject(parsed)) return parsed;
  throw new ChatRequestError('The body must be a JSON object.', null, 'invalid_value');
}

function answerWith(status: number, document: JsonObject, headers?: Headers): ChatAnswer {
  const isModels = status === 200;
  let isRead = false;
  return {
    status,
    headers: buildHeaders(headers),
    body: readDocument(document, () => {
      isRead = true;
    }),
    outcome: () => ({ ...NOTHING, isComplete: isModels && isRead }),
  };
}

function answerMessage(
  message: Message,
  headers: Readonly<Record<string, string>>,
  context: { created: number; usesFunctions: boolean },
): ChatAnswer {
  if (!isJsonObject(message) || !Array.isArray(message.content)) {
    return answerWith(502, describeBrokenAnswer('The model’s server answered with something else than a message.'));
  }
  let outcome = NOTHING;
  const body = readDocument(translateAnswer(message, context), () => {
    outcome = { texts: [joinTexts(message.content)], usage: sumUsage(message.usage), isComplete: true };
  });
  return { status: 200, headers, body, outcome: () => outcome };
}

async function* readDocument(document: JsonObject, onRead: () => void): AsyncGenerator<string> {
  onRead();
  yield JSON.stringify(document);
}

function answerStream(
  events: AsyncIterable<RawMessageStreamEvent>,
  headers: Readonly<Record<string, string>>,
  translator: ChunkTranslator,
  signal: AbortSignal,
): ChatAnswer {
  const body = writeChunks(events, translator, signal);
  const outcome = () => ({
    texts: [translator.text],
    // What a broken answer has told so far is less than it costs.
    usage: translator.hasEnded ? translator.usage : undefined,
    isComplete: translator.hasEnded,
  });
  return { status: 200, headers, body, outcome };
}

/**
 * What goes wrong inside a stream is told as an error in it, which clients of OpenAI throw; then it ends without
 * `[DONE]`. Throwing instead could cut the connection before the client has read why.
 */
async function* writeChunks(
  events: AsyncIterable<RawMessageStreamEvent>,
  translator: ChunkTranslator,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let failure = describeBrokenAnswer('The answer of the model broke off: send the request again.');
  try {
    for await (const event of events) {
      for (const chunk of translator.translate(event)) yield writeEvent(chunk);
      if (translator.hasEnded) yield 'data: [DONE]\n\n';
    }
  } catch (error) {
    if (error instanceof APIError) failure = translateError(error);
  }
  if (translator.hasEnded) return;
  signal.throwIfAborted();
  yield writeEvent(failure);
}

function writeEvent(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
