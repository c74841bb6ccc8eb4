import type { Environment } from '@annals/config';
import { SystemClock } from '@annals/domain';
import { createEmbeddingProvider } from '@annals/llm-core';
import type { TestDatabase } from '@annals/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PersistenceService } from '../persistence-service.fixture.js';

/** An embedding server that counts its calls, and answers or refuses as a test defines. */
export class EmbeddingServer {
  readonly inputs: string[][] = [];
  status = 200;
  /** The name under which vectors are stored, once the service has started. */
  model = '';
  /** Runs before the next response is sent. */
  onRequest: () => Promise<unknown> = async () => undefined;
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      this.inputs.push(input);
      void this.onRequest().then(() => {
        response.writeHead(this.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(this.status === 200 ? answer(input) : { error: { message: 'no' } }));
      });
    });
  });

  private async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }
  /** A persistence service that embeds with this server, which it starts. */
  async startService(database: TestDatabase, env: Environment = {}): Promise<PersistenceService> {
    const [baseUrl, apiKey, model, dimensions] = [await this.start(), 'key', 'text-embedding-3-small', 4];
    const server = { baseUrl, apiKey, model, dimensions, timeoutMs: 5_000, clock: new SystemClock() };
    const embedder = createEmbeddingProvider({ provider: 'openai', ...server });
    this.model = embedder.model;
    return PersistenceService.start(database, embedder, {
      ANNALS_EMBEDDINGS: 'openai',
      ANNALS_EMBEDDINGS_BASE_URL: baseUrl,
      ANNALS_EMBEDDINGS_API_KEY: apiKey,
      ANNALS_EMBEDDINGS_MODEL: model,
      ANNALS_EMBEDDINGS_DIMENSIONS: String(dimensions),
      MEMORY_LLM_DAILY_BUDGET_USD: '1',
      ...env,
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function answer(input: readonly string[]) {
  const vector = Buffer.from(Float32Array.from([1, 0, 0, 0]).buffer).toString('base64');
  return {
    object: 'list',
    model: 'test-embedding',
    data: input.map((_, index) => ({ object: 'embedding', index, embedding: vector })),
    usage: { prompt_tokens: 11, total_tokens: 11 },
  };
}
