import { loadConfig } from '@annals/config';
import type { Problem, Scope } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG, readSystemRandomBytes } from '@annals/domain';
import { createEmbeddingProvider, createReranker, type EmbeddingProvider } from '@annals/llm-core';
import type { EventName } from '@annals/observability';
import {
  createModelCalls,
  createProcessContext,
  deriveSecrets,
  InfrastructureModule,
  type Infrastructure,
  openCoordination,
  OperationsModule,
  Readiness,
} from '@annals/runtime';
import { apiKeyPrefix, createApiKey, createTenant, Database, ensureOperatorKey, hashApiKey } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Writable } from 'node:stream';
import { createKeyText } from '../auth/key-text.js';
import { type CategorySource, type EmbeddingTimeouts, GATEWAY_FRAGMENTS } from '../config.js';
import { GatewayModule } from '../gateway.module.js';
import { createGatewayAdapter } from '../http/create-adapter.js';

export interface KeyOptions {
  readonly tenantId: string;
  readonly scopes?: readonly Scope[];
  readonly agentId?: string;
  readonly userId?: string;
  readonly categories?: readonly string[];
  /** Epoch ms. */
  readonly expiresAt?: number;
}

interface TestResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

interface TestRequest {
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

/** A gateway on a database of its own, listening on a free port, with helpers for specs. */
export interface TestGateway {
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  /** Lines of the log, as JSON. */
  readonly log: string[];
  /** The contexts of all log lines with an event. */
  logged(event: EventName): unknown[];
  /** How often the relay was kicked. */
  readonly kicks: { count: number };
  readonly infrastructure: Infrastructure;
  makeTenant(name: string): Promise<string>;
  makeKey(keyOptions: KeyOptions): Promise<string>;
  makeOperatorKey(): Promise<string>;
  /** `Body` is what the spec expects; the response is not checked against it. */
  send<Body = Problem>(
    key: string | null,
    method: string,
    path: string,
    sent?: TestRequest,
  ): Promise<TestResponse<Body>>;
  close(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly env?: Record<string, string>;
  readonly embedder?: EmbeddingProvider;
  readonly embeddingTimeouts?: EmbeddingTimeouts;
  readonly categories?: CategorySource;
}

@Module({})
class SpecModule {}

export async function startGateway({
  env = {},
  embedder,
  embeddingTimeouts,
  categories = { current: DEFAULT_CATEGORY_CONFIG },
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const testDatabase = await createTestDatabase();
  const config = loadConfig(GATEWAY_FRAGMENTS, { ANNALS_BATCH_WINDOW_MS: '0', ...env });
  const log: string[] = [];
  const logDestination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log.push(chunk.toString());
      done();
    },
  });
  const context = createProcessContext({
    name: 'gateway',
    version: '0',
    logLevel: 'debug',
    logDestination,
    processMetrics: false,
  });
  const database = await Database.open(testDatabase.app);
  const kicks = { count: 0 };
  const { calls: modelCalls } = createModelCalls({
    ...context,
    database,
    coordination: openCoordination({ kind: 'in_process' }, { breaker: { minAttempts: 5 }, rng: context.rng }),
    limits: { spending: config.budgets, models: [] },
  });
  // The parts of the infrastructure that the gateway uses: it has no queue.
  const infrastructure = {
    ...context,
    secrets: deriveSecrets('a-secret-key-for-tests-of-the-gateway'),
    database,
    modelCalls,
    relay: { kick: () => void (kicks.count += 1) },
  } as unknown as Infrastructure;
  const imports = [
    InfrastructureModule.forRoot(infrastructure, config),
    OperationsModule.forRoot(new Readiness([])),
    GatewayModule.forRoot({
      reranker: createReranker(config.rerank.model),
      embedder: embedder ?? createEmbeddingProvider({ provider: 'hashed' }),
      ...(embeddingTimeouts ? { embeddingTimeouts } : {}),
      categories,
    }),
  ];
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: SpecModule, imports },
    createGatewayAdapter(config.limits),
    {
      logger: false,
      abortOnError: false,
    },
  );
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}`;
  const { ids, clock } = context;
  return {
    url,
    app,
    database,
    testDatabase,
    log,
    logged: (event) =>
      log
        .map((line) => JSON.parse(line) as { event: string; context: unknown })
        .filter((line) => line.event === event)
        .map(({ context: told }) => told),
    kicks,
    infrastructure,
    async makeTenant(name) {
      const id = ids.next();
      if (!(await createTenant(database, { id, name, now: clock.now() }))) throw new Error(`${name} exists`);
      return id;
    },
    async makeKey(keyOptions) {
      const text = createKeyText(readSystemRandomBytes);
      await database.inTenant(keyOptions.tenantId, (tx) =>
        createApiKey(tx, {
          id: ids.next(),
          name: 'spec',
          keyHash: hashApiKey(text),
          prefix: apiKeyPrefix(text),
          scopes: keyOptions.scopes ?? ['ingest', 'query', 'admin'],
          operator: false,
          agentId: keyOptions.agentId ?? null,
          userId: keyOptions.userId ?? null,
          categories: keyOptions.categories ?? null,
          expiresAt: keyOptions.expiresAt ?? null,
          now: clock.now(),
        }),
      );
      return text;
    },
    async makeOperatorKey() {
      const text = createKeyText(readSystemRandomBytes);
      await ensureOperatorKey(testDatabase.admin, { text, ids, now: clock.now() });
      return text;
    },
    send: (key, method, path, sent = {}) => sendRequest(url, key, method, path, sent),
    async close() {
      await app.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

async function sendRequest<Body>(
  url: string,
  key: string | null,
  method: string,
  path: string,
  { body, raw, headers }: TestRequest,
): Promise<TestResponse<Body>> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload as NonNullable<RequestInit['body']> }),
  });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson && text !== '' ? JSON.parse(text) : { text }) as Body,
  };
}
