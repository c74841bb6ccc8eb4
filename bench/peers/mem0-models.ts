import { createEmbeddingProvider } from '@annals/llm-core';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A model server of the API of OpenAI. */
export interface ModelServer {
  /** With the path of the API's version. */
  readonly url: string;
  close(): void;
}

/** Dimensions of its embeddings. */
export const DIMENSIONS = 384;

/** What the user said, in the section of mem0's prompt that has the messages of the conversation. */
const SAID = /^user: (.+)$/gm;

const embedder = createEmbeddingProvider({ provider: 'hashed' });

/**
 * Answers at once: the chat model with one memory for each message of the user, in the form that mem0 asks for, and the
 * embedder with the hashed vectors that the services use.
 */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    void answer(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage): Promise<object> {
  const body = JSON.parse(await text(request)) as {
    input?: string | string[];
    messages?: { content: string }[];
  };
  return body.messages ? answerChat(body.messages.at(-1)!.content) : embed([body.input ?? ''].flat());
}

function answerChat(prompt: string): object {
  const messages = prompt.slice(prompt.indexOf('## New Messages'));
  const memory = [...messages.matchAll(SAID)].map(([, said], index) => ({
    id: `${index}`,
    text: said!.replace(/^I /, 'Ana ').replace(' my ', " Ana's ").replace(' this year', ' in 2026'),
    attributed_to: 'user',
  }));
  const message = { role: 'assistant', content: JSON.stringify({ memory }) };
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'stub',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 500, completion_tokens: 300, total_tokens: 800 },
  };
}

async function embed(input: readonly string[]): Promise<object> {
  const { vectors } = await embedder.embed(input, { signal: new AbortController().signal });
  return {
    object: 'list',
    model: 'stub',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding: [...embedding] })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}
