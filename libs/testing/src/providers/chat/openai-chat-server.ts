import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '../../serving/listen-on-loopback.js';
import { readBreakpointMode, readOpenAIBlocks } from './prompt-blocks.js';
import { BlockCache } from './prompt-cache.js';
import type { StreamGate } from './stream-gate.js';

/** A planned answer; without a plan the server says “Hello.”. */
export type OpenAiChatAnswer =
  | {
      readonly kind: 'message';
      /** The text, in pieces of a stream. None with tool calls alone. */
      readonly pieces?: readonly string[];
      /** Further choices, of one text each. */
      readonly others?: readonly string[];
      readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
      /** Holds back the answer, or the events of a stream. */
      readonly gate?: StreamGate;
      /** After so many events of a stream the connection breaks. */
      readonly breakAfter?: number;
      readonly delayMs?: number;
      /** Members that are added to the message, as servers of other models have them. */
      readonly extra?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'cut' };

export interface OpenAiChatRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly cachedTokens: number;
  /** Whether the caller closed the connection before the answer ended. */
  readonly hasLeft: boolean;
}

export interface OpenAiChatServer extends LoopbackServer {
  readonly requests: readonly OpenAiChatRequest[];
  plan(...answers: OpenAiChatAnswer[]): void;
  /** Answers every request without a plan, from its body. */
  answerBy(choose: (body: OpenAiChatRequest['body']) => OpenAiChatAnswer): void;
}

type Received = { -readonly [Field in keyof OpenAiChatRequest]: OpenAiChatRequest[Field] };
type Message = Extract<OpenAiChatAnswer, { kind: 'message' }>;

const HELLO: OpenAiChatAnswer = { kind: 'message', pieces: ['Hel', 'lo.'] };

/** Starts an API of OpenAI on the loopback that records the bytes of its requests and answers by plan. */
export async function startOpenAiChatServer(cache = new BlockCache('openai-prefix')): Promise<OpenAiChatServer> {
  const requests: Received[] = [];
  const planned: OpenAiChatAnswer[] = [];
  let choose = (_body: OpenAiChatRequest['body']): OpenAiChatAnswer => HELLO;
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = (await buffer(message)).toString();
    const body = raw === '' ? {} : (JSON.parse(raw) as Received['body']);
    const { readTokens } = cache.request(readOpenAIBlocks(body), readBreakpointMode(body));
    const request: Received = {
      path: message.url ?? '',
      headers: message.headers,
      raw,
      body,
      cachedTokens: readTokens,
      hasLeft: false,
    };
    requests.push(request);
    response.on('close', () => (request.hasLeft = !response.writableFinished));
    if (message.url?.endsWith('/models')) return sendModels(response);
    const answer = planned.shift() ?? choose(body);
    const usage = { prompt: cache.count(readOpenAIBlocks(body)), cached: readTokens };
    await send(answer, response, { body, usage, id: `chatcmpl-${requests.length}` });
  };
  const server = createServer((message, response) => void handle(message, response));
  const listening = await listenOnLoopback(server);
  return {
    ...listening,
    origin: `${listening.origin}/v1`,
    requests,
    plan: (...answers) => void planned.push(...answers),
    answerBy: (chosen) => void (choose = chosen),
  };
}

interface Rendering {
  readonly body: OpenAiChatRequest['body'];
  readonly usage: { readonly prompt: number; readonly cached: number };
  readonly id: string;
}

async function send(answer: OpenAiChatAnswer, response: ServerResponse, rendering: Rendering): Promise<void> {
  switch (answer.kind) {
    case 'hang':
      return;
    case 'cut':
      response.socket?.resetAndDestroy();
      return;
    case 'error':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
      return;
    case 'message':
      if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
      if (rendering.body['stream'] === true) return stream(answer, response, rendering);
      await answer.gate?.pass();
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': `req_${rendering.id}` });
      response.end(JSON.stringify(renderCompletion(answer, rendering)));
  }
}

function renderCompletion(answer: Message, { body, usage, id }: Rendering) {
  const { pieces = [], others = [], toolCalls, extra } = answer;
  const text = pieces.length === 0 ? null : pieces.join('');
  const message = {
    role: 'assistant',
    content: text,
    refusal: null,
    ...(toolCalls ? { tool_calls: toolCalls.map(renderToolCall) } : {}),
    ...extra,
  };
  return {
    id,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body['model'],
    choices: [
      { index: 0, message, finish_reason: toolCalls ? 'tool_calls' : 'stop', logprobs: null },
      ...others.map((content, index) => ({
        index: index + 1,
        message: { role: 'assistant', content, refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      })),
    ],
    usage: renderUsage(answer, usage),
  };
}

function renderToolCall({ id, name, arguments: args }: NonNullable<Message['toolCalls']>[number]) {
  return { id, type: 'function', function: { name, arguments: args } };
}

function renderUsage({ pieces = [], others = [] }: Message, { prompt, cached }: Rendering['usage']) {
  const completion = Math.max(1, Math.ceil([...pieces, ...others].join('').length / 4));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

/** The chunks of a stream, each as one event. */
function* listEvents(answer: Message, { body, usage, id }: Rendering): Generator<string> {
  const { pieces = [], others = [], toolCalls = [], extra } = answer;
  const chunk = (choices: unknown[], more: object = {}) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1_700_000_000, model: body['model'], choices, ...more })}\n\n`;
  const delta = (fields: object, index = 0, finish: string | null = null) =>
    chunk([{ index, delta: fields, finish_reason: finish }]);
  yield delta({ role: 'assistant', content: pieces.length === 0 ? null : '', ...extra });
  for (const piece of pieces) yield delta({ content: piece });
  for (const [index, other] of others.entries()) yield delta({ role: 'assistant', content: other }, index + 1);
  for (const [index, call] of toolCalls.entries()) {
    yield delta({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    const half = Math.ceil(call.arguments.length / 2);
    for (const part of [call.arguments.slice(0, half), call.arguments.slice(half)])
      yield delta({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield delta({}, 0, toolCalls.length > 0 ? 'tool_calls' : 'stop');
  for (const index of others.keys()) yield delta({}, index + 1, 'stop');
  const options = body['stream_options'] as { include_usage?: boolean } | undefined;
  if (options?.include_usage) yield chunk([], { usage: renderUsage(answer, usage) });
  yield 'data: [DONE]\n\n';
}

async function stream(answer: Message, response: ServerResponse, rendering: Rendering): Promise<void> {
  const { gate, breakAfter } = answer;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-request-id': `req_${rendering.id}`,
  });
  response.flushHeaders();
  const closed = once(response, 'close');
  for (const event of [...listEvents(answer, rendering)].slice(0, breakAfter)) {
    await Promise.race([gate?.pass(), closed]);
    if (response.destroyed) return;
    await new Promise<void>((resolve) => void response.write(event, () => resolve()));
  }
  if (breakAfter === undefined) response.end();
  else response.socket?.destroySoon();
}

function sendModels(response: ServerResponse): void {
  const data = ['gpt-6-luna', 'gpt-6.1-terra'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
}
