import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from '../serving/listen-on-loopback.js';
import { buildEmbeddings } from './embeddings-answer.js';

/** One planned response of the fake server; without a plan it returns vectors of `dimensions`. */
export type FakeEmbeddingAnswer =
  | { kind: 'vectors'; dimensions?: number; withoutUsage?: true; dropLast?: true; reversed?: true }
  | { kind: 'error'; status: number; headers?: Record<string, string>; error?: Record<string, unknown> }
  /** Accepts the request and never responds. */
  | { kind: 'hang' }
  /** Sends headers and half a body, then nothing more. */
  | { kind: 'stall' }
  /** Sends headers and half a body, then a blank now and then until the caller closes the connection. */
  | { kind: 'trickle' }
  | { kind: 'garbage' };

interface FakeEmbeddingRequest {
  path: string;
  authorization: string | undefined;
  model: string;
  input: string[];
  dimensions?: number;
  encoding_format?: string;
}

export interface FakeOpenAIEmbeddingsOptions {
  dimensions: number;
  /** The vector of a text. Default: a different one for each text. */
  vectorOf?: (text: string) => readonly number[];
  /** Refuses `encoding_format: base64` with a 400, as some compatible servers do. */
  refusesBase64?: boolean;
  /** Returns arrays of numbers, whatever `encoding_format` is requested. */
  alwaysFloat?: boolean;
}

export interface FakeOpenAIEmbeddings {
  baseUrl: string;
  requests: FakeEmbeddingRequest[];
  /** Plans the next responses, in order. */
  plan(...answers: FakeEmbeddingAnswer[]): void;
  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void>;
  /** Resolves when the next blank of an answer that trickles was sent. */
  nextTrickle(): Promise<void>;
  /** Resolves when the caller has closed the connection of an answer that trickles. */
  readonly hasLeft: Promise<void>;
  close(): Promise<void>;
}

/** Between two blanks. */
const TRICKLE_MS = 5;

/** A real HTTP server on a free local port that serves `POST /v1/embeddings`. */
export async function startFakeOpenAIEmbeddings(options: FakeOpenAIEmbeddingsOptions): Promise<FakeOpenAIEmbeddings> {
  const requests: FakeEmbeddingRequest[] = [];
  const planned: FakeEmbeddingAnswer[] = [];
  const waiting: (() => void)[] = [];
  const trickling: (() => void)[] = [];
  const left = Promise.withResolvers<void>();
  const trickle = (response: ServerResponse) => {
    const timer = setInterval(() => {
      response.write(' ');
      trickling.splice(0).forEach((sent) => sent());
    }, TRICKLE_MS);
    response.on('close', () => {
      clearInterval(timer);
      left.resolve();
    });
  };
  const server = createServer((request, response) => {
    void readRequest(request).then((received) => {
      requests.push(received);
      waiting.splice(0).forEach((arrived) => arrived());
      answer(received, response, planned, options, trickle);
    });
  });
  const { origin, close } = await listenOnLoopback(server);
  return {
    baseUrl: `${origin}/v1`,
    requests,
    plan: (...answers) => void planned.push(...answers),
    nextRequest: () => new Promise((resolve) => void waiting.push(resolve)),
    nextTrickle: () => new Promise((resolve) => void trickling.push(resolve)),
    hasLeft: left.promise,
    close,
  };
}

async function readRequest(request: IncomingMessage): Promise<FakeEmbeddingRequest> {
  const body = (await json(request)) as Omit<FakeEmbeddingRequest, 'path'>;
  return { ...body, path: request.url ?? '', authorization: request.headers.authorization };
}

function answer(
  request: FakeEmbeddingRequest,
  response: ServerResponse,
  planned: FakeEmbeddingAnswer[],
  options: FakeOpenAIEmbeddingsOptions,
  trickle: (response: ServerResponse) => void,
): void {
  if (options.refusesBase64 && request.encoding_format === 'base64') {
    sendJson(response, 400, {
      error: { message: 'encoding_format base64 is not supported', param: 'encoding_format' },
    });
    return;
  }
  const next = planned.shift() ?? { kind: 'vectors' };
  switch (next.kind) {
    case 'vectors':
      sendJson(response, 200, buildAnswer(request, next, options));
      return;
    case 'error':
      sendJson(
        response,
        next.status,
        { error: next.error ?? { message: `failed on: ${request.input.join(' ')}` } },
        next.headers,
      );
      return;
    case 'hang':
      return;
    case 'stall':
      sendHalf(response);
      return;
    case 'trickle':
      sendHalf(response);
      trickle(response);
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>busy</html>');
      return;
  }
}

function buildAnswer(
  request: FakeEmbeddingRequest,
  { dimensions, withoutUsage, dropLast, reversed }: FakeEmbeddingAnswer & { kind: 'vectors' },
  options: FakeOpenAIEmbeddingsOptions,
): unknown {
  const length = dimensions ?? request.dimensions ?? options.dimensions;
  const encodingFormat = options.alwaysFloat ? 'float' : request.encoding_format;
  const { data, usage, ...rest } = buildEmbeddings({ ...request, encodingFormat, vectorOf: options.vectorOf }, length);
  if (dropLast) data.pop();
  if (reversed) data.reverse();
  return { ...rest, data, ...(withoutUsage ? {} : { usage }) };
}

function sendHalf(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data": [');
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers });
  response.end(JSON.stringify(body));
}
