import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '../../serving/listen-on-loopback.js';
import { renderError } from '../models/failure.js';
import { type FakeModel, KNOWN_MODELS } from '../models/known-models.js';
import { renderModels } from '../models/list-models.js';
import {
  type AnthropicMessage,
  listMessageEvents,
  renderAnthropicMessage,
  type Rendered,
  renderEvent,
} from './anthropic-events.js';
import { findMessagesFault } from './messages-rules.js';
import { readAnthropicBlocks } from './prompt-blocks.js';
import { BlockCache } from './prompt-cache.js';
import type { StreamGate } from './stream-gate.js';

/** A planned answer; without a plan the server says “Hello.”. */
export type AnthropicChatAnswer =
  | (AnthropicMessage & {
      readonly kind: 'message';
      /** Holds back the events of a stream. */
      readonly gate?: StreamGate;
      /** After this many events of a stream: the connection breaks, or an error event ends it. */
      readonly breakAfter?: number;
      readonly failAfter?: { readonly events: number; readonly type: string; readonly message: string };
    })
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Instead of an error in the form of the API. */
      readonly body?: string;
    }
  /** Accepts the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection without an answer. */
  | { readonly kind: 'cut' };

export interface AnthropicChatRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key that was sent. */
  readonly apiKey: string | undefined;
  readonly raw: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  /** The status of its answer; undefined while there is none. */
  readonly status: number | undefined;
  /** Whether the caller closed the connection before the answer ended. */
  readonly hasLeft: boolean;
}

export interface AnthropicChatServer extends LoopbackServer {
  readonly requests: readonly AnthropicChatRequest[];
  /** Plans the next answers to requests that the API accepts, in order. */
  plan(...answers: AnthropicChatAnswer[]): void;
}

interface AnthropicChatServerOptions {
  /** Default: the known models of Anthropic. */
  models?: readonly FakeModel[];
  cache?: BlockCache;
}

type ReceivedRequest = { -readonly [Field in keyof AnthropicChatRequest]: AnthropicChatRequest[Field] };

const LIMIT_HEADERS = { 'anthropic-ratelimit-requests-limit': '50', 'anthropic-ratelimit-requests-remaining': '49' };

/**
 * Starts a Messages API on the loopback that rejects what the real one rejects, and answers by plan. `origin` is the
 * base URL of a client. Usage comes from the rules of its prompt cache.
 */
export async function startAnthropicChatServer(options: AnthropicChatServerOptions = {}): Promise<AnthropicChatServer> {
  const api = new MessagesApi(options.models ?? KNOWN_MODELS, options.cache ?? new BlockCache('anthropic'));
  const server = createServer((request, response) => void api.handle(request, response));
  const listening = await listenOnLoopback(server);
  return { ...listening, requests: api.requests, plan: (...answers) => void api.planned.push(...answers) };
}

class MessagesApi {
  readonly requests: ReceivedRequest[] = [];
  readonly planned: AnthropicChatAnswer[] = [];
  private readonly issued = new Map<string, string>();

  constructor(
    private readonly models: readonly FakeModel[],
    private readonly cache: BlockCache,
  ) {}

  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await buffer(message);
    const request = readRequest(message, raw);
    this.requests.push(request);
    response.on('close', () => {
      request.hasLeft = !response.writableFinished;
      request.status = response.headersSent ? response.statusCode : undefined;
    });
    const requestId = `req_${this.requests.length}`;
    const fail = (status: number, text: string): void =>
      send(response, status, renderError('anthropic', { status, message: text, requestId }), requestId);
    if (request.apiKey === undefined) return fail(401, 'x-api-key header is required');
    if (request.headers['anthropic-version'] === undefined) return fail(400, 'anthropic-version: header is required');
    const route = `${message.method} ${request.path.replace(/\?.*$/, '')}`;
    if (route === 'GET /v1/models') {
      return send(response, 200, JSON.stringify(renderModels('anthropic', request.path, this.models, 0)), requestId);
    }
    if (route !== 'POST /v1/messages') return fail(404, 'Not Found');
    const model = this.models.find(({ id, api }) => id === request.body.model && api === 'anthropic');
    if (!model) return fail(404, `model: ${String(request.body.model)}`);
    const fault = findMessagesFault(request.body, model, this.issued);
    if (fault !== null) return fail(400, fault);
    await this.answer(request, response, requestId);
  }

  private async answer({ body }: ReceivedRequest, response: ServerResponse, requestId: string): Promise<void> {
    const answer = this.planned.shift() ?? { kind: 'message', content: [{ type: 'text', text: 'Hello.' }] };
    switch (answer.kind) {
      case 'hang':
        return;
      case 'cut':
        response.socket?.resetAndDestroy();
        return;
      case 'error': {
        const { status, message } = answer;
        const text = answer.body ?? renderError('anthropic', { status, message, requestId });
        send(response, status, text, requestId, answer.headers);
        return;
      }
      case 'message': {
        for (const block of answer.content) {
          if (block.type === 'thinking') this.issued.set(block.signature, block.thinking);
        }
        const rendered = this.measure(body, requestId);
        if (body.stream === true) await stream(answer, rendered, response, requestId);
        else send(response, 200, JSON.stringify(renderAnthropicMessage(answer, rendered)), requestId);
      }
    }
  }

  private measure(body: ReceivedRequest['body'], requestId: string): Rendered {
    const blocks = readAnthropicBlocks(body);
    const inputTokens = this.cache.count(blocks);
    return { id: requestId.slice(4), model: String(body.model), inputTokens, cached: this.cache.request(blocks) };
  }
}

function readRequest(message: IncomingMessage, raw: Buffer): ReceivedRequest {
  const { authorization, 'x-api-key': key, ...headers } = message.headers;
  const sent = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? (key === undefined ? undefined : String(key));
  return {
    path: message.url ?? '',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    apiKey: sent,
    raw,
    body: raw.length === 0 ? {} : (JSON.parse(raw.toString('utf8')) as ReceivedRequest['body']),
    status: undefined,
    hasLeft: false,
  };
}

async function stream(
  answer: Extract<AnthropicChatAnswer, { kind: 'message' }>,
  rendered: Rendered,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const { gate, failAfter, breakAfter } = answer;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': requestId, ...LIMIT_HEADERS });
  response.flushHeaders();
  const closed = once(response, 'close');
  const events = listMessageEvents(answer, rendered).slice(0, failAfter?.events ?? breakAfter);
  for (const event of events) {
    await Promise.race([gate?.pass(), closed]);
    if (response.destroyed) return;
    await new Promise<void>((resolve) => void response.write(renderEvent(event), () => resolve()));
  }
  if (breakAfter !== undefined) response.socket?.destroySoon();
  else if (failAfter) {
    const error = { type: failAfter.type, message: failAfter.message, details: null };
    response.end(renderEvent({ type: 'error', error, request_id: requestId }));
  } else response.end();
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const all = { 'content-type': 'application/json', 'request-id': requestId, ...LIMIT_HEADERS, ...headers };
  response.writeHead(status, all).end(body);
}
