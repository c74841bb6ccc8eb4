import { Agent, type Dispatcher, request as send } from 'undici';
import type { ChatAnswer, ChatRequest, ChatUpstream } from './chat-upstream.js';
import { observeAnswer } from './observe-answer.js';
import { withholdUsage } from './withhold-usage.js';

interface OpenAiChatOptions {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Headers of the client that the upstream gets. */
  readonly userAgent: string;
}

/** A completion has its own timeout; until then, a model may think for as long as it wants. */
const NO_TIMEOUT = 0;

const CONNECT_TIMEOUT_MS = 10_000;

/** Answers of the upstream that the client gets as they are; others belong to the connection, or name the account. */
const PASSED_HEADERS =
  /^(?:content-type|retry-after(?:-ms)?|x-should-retry|x-ratelimit-.+|openai-processing-ms|openai-version)$/;

/**
 * Any server with OpenAI’s API. Not by OpenAI’s SDK: it parses an answer and writes it anew, and a proxy passes on the
 * bytes.
 */
export class OpenAiChat implements ChatUpstream {
  private readonly dispatcher = new Agent({
    headersTimeout: NO_TIMEOUT,
    bodyTimeout: NO_TIMEOUT,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });

  constructor(private readonly options: OpenAiChatOptions) {}

  complete(request: ChatRequest): Promise<ChatAnswer> {
    return this.send({ ...request, path: '/chat/completions', method: 'POST' });
  }

  listModels(request: Pick<ChatRequest, 'apiKey' | 'signal'>): Promise<ChatAnswer> {
    return this.send({ ...request, path: '/models', method: 'GET' });
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async send({
    path,
    method,
    body,
    headers = {},
    apiKey,
    signal,
    withholdsUsage = false,
  }: Omit<ChatRequest, 'body'> & {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly body?: Buffer;
  }): Promise<ChatAnswer> {
    const { baseUrl, userAgent } = this.options;
    const answer = await send(`${baseUrl.replace(/\/$/, '')}${path}`, {
      dispatcher: this.dispatcher,
      method,
      body: body ?? null,
      signal,
      headers: {
        'user-agent': userAgent,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        authorization: `Bearer ${apiKey}`,
      },
    });
    const passed = passHeaders(answer.headers);
    const observer = observeAnswer(answer.statusCode, passed['content-type'] ?? '');
    const bytes = readAlong(answer.body, (chunk) => observer.observe(chunk));
    const isStream = (passed['content-type'] ?? '').startsWith('text/event-stream');
    return {
      status: answer.statusCode,
      headers: passed,
      body: withholdsUsage && isStream ? withholdUsage(bytes) : bytes,
      outcome: () => observer.outcome(),
    };
  }
}

async function* readAlong(
  body: AsyncIterable<Uint8Array>,
  observe: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    observe(chunk);
    yield chunk;
  }
}

function passHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = String(value);
    if (name === 'x-request-id') passed['x-upstream-request-id'] = text;
    else if (PASSED_HEADERS.test(name)) passed[name] = text;
  }
  return passed;
}
