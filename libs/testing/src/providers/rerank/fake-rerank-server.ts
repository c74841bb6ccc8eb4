import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from '../../serving/listen-on-loopback.js';

/** One planned response of the fake server; without a plan it scores by common words. */
type FakeRerankAnswer =
  | { kind: 'scores'; scores: readonly number[]; dropLast?: true }
  | { kind: 'error'; status: number; headers?: Record<string, string> }
  /** Accepts the request and never responds. */
  | { kind: 'hang' }
  | { kind: 'garbage' };

interface FakeRerankRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { model?: string; query: string; documents?: string[]; texts?: string[]; top_n?: number };
}

export interface FakeRerankServer {
  /**
   * With `/v2/rerank` the API of Cohere, Jina, vLLM and llama.cpp, with `/rerank` that of text-embeddings-inference.
   */
  readonly origin: string;
  readonly requests: FakeRerankRequest[];
  /** Plans the next responses, in order. */
  plan(...answers: FakeRerankAnswer[]): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server on a free local port with both rerank APIs; results are best first, like those of real servers.
 */
export async function startFakeRerankServer(): Promise<FakeRerankServer> {
  const requests: FakeRerankRequest[] = [];
  const planned: FakeRerankAnswer[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then((received) => {
      requests.push(received);
      answer(received, response, planned.shift());
    });
  });
  const listening = await listenOnLoopback(server);
  return { ...listening, requests, plan: (...answers) => void planned.push(...answers) };
}

async function readRequest(request: IncomingMessage): Promise<FakeRerankRequest> {
  const body = (await json(request)) as FakeRerankRequest['body'];
  return { path: request.url ?? '', authorization: request.headers.authorization, body };
}

function answer({ path, body }: FakeRerankRequest, response: ServerResponse, planned?: FakeRerankAnswer): void {
  const texts = body.documents ?? body.texts ?? [];
  switch (planned?.kind) {
    case 'hang':
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>busy</html>');
      return;
    case 'error':
      response
        .writeHead(planned.status, { 'content-type': 'application/json', ...planned.headers })
        .end(JSON.stringify({ error: `failed on: ${texts.join(' ')}` }));
      return;
    case 'scores':
    case undefined:
      answerScores(path, body, response, planned);
  }
}

function answerScores(
  path: string,
  body: FakeRerankRequest['body'],
  response: ServerResponse,
  planned?: Extract<FakeRerankAnswer, { kind: 'scores' }>,
): void {
  const texts = body.documents ?? body.texts ?? [];
  const scores = planned?.scores ?? texts.map((text) => shareOfWords(body.query, text));
  const results = scores
    .map((score, index) => ({ index, score }))
    .slice(0, planned?.dropLast ? -1 : undefined)
    .toSorted((a, b) => b.score - a.score);
  const shaped = path.startsWith('/v')
    ? {
        id: 'rerank-1',
        model: body.model,
        results: results.map(({ index, score }) => ({ index, relevance_score: score })),
        usage: { total_tokens: texts.join(' ').split(' ').length },
      }
    : results;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shaped));
}

/** The share of the query's words that are in the text: a predictable score. */
function shareOfWords(query: string, text: string): number {
  const words = (of: string) => new Set(of.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const queryWords = words(query);
  const textWords = words(text);
  return queryWords.size === 0 ? 0 : [...queryWords].filter((word) => textWords.has(word)).length / queryWords.size;
}
