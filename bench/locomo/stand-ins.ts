import { analyzeTerms } from '@annals/english';
import { createEmbeddingProvider } from '@annals/llm-core';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a stand-in server: texts to embed, or a query with texts to rerank. */
type FakeModelRequest = { readonly input: string[] } | { readonly query: string; readonly texts: string[] };

const embedder = createEmbeddingProvider({ provider: 'hashed' });
const { signal } = new AbortController();

/** Runs `work` with the variables of a local HTTP server that embeds and reranks by words only. */
export async function withStandIns<T>(work: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const server = createServer(async (request, response) => {
    const answer = JSON.stringify(await answerTo(await readBody(request)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await work({
      ANNALS_EMBEDDINGS: 'openai',
      ANNALS_EMBEDDINGS_BASE_URL: `${origin}/v1`,
      ANNALS_EMBEDDINGS_API_KEY: 'stand-in',
      ANNALS_EMBEDDINGS_MODEL: 'stand-in',
      ANNALS_EMBEDDINGS_DIMENSIONS: `${embedder.dimensions}`,
      ANNALS_RERANK: 'http',
      ANNALS_RERANK_API: 'tei',
      ANNALS_RERANK_URL: `${origin}/rerank`,
      ANNALS_RERANK_MODEL: 'stand-in',
      ANNALS_RERANK_USD_PER_REQUEST: '0',
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function readBody(request: IncomingMessage): Promise<FakeModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as FakeModelRequest;
}

async function answerTo(asked: FakeModelRequest): Promise<object> {
  if ('texts' in asked) return asked.texts.map((text, index) => ({ index, score: scoreText(asked.query, text) }));
  const { vectors } = await embedder.embed(asked.input, { signal });
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] }));
  return { object: 'list', model: 'stand-in', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

/** The share of the query's stems in the text, scaled to 0.35–1: lower scores would be dropped. */
function scoreText(question: string, text: string): number {
  const wanted = [...analyzeTerms(question).terms.keys()];
  const has = analyzeTerms(text).terms;
  const share = wanted.length === 0 ? 0 : wanted.filter((stem) => has.has(stem)).length / wanted.length;
  return 0.35 + 0.65 * share;
}
