import { type Config, type Environment, loadConfig } from '@annals/config';
import type { Batch, BatchState } from '@annals/contracts';
import { type Clock, SystemClock } from '@annals/domain';
import type { LLMProvider } from '@annals/llm-core';
import {
  type Categories,
  createExtractionProviders,
  createInfrastructure,
  createProcessContext,
  openCategories,
  readModelLimits,
  type RunningService,
  startService,
} from '@annals/runtime';
import { acceptMessages, type Database, ensureTenant, getBatches, type Tx } from '@annals/storage';
import { type FakeModels, newMessage, newPost, type TestDatabase, waitUntil } from '@annals/testing';
import { EXTRACTION_FRAGMENTS, ExtractionModule } from './extraction.module.js';

/** Role, content and actor. */
export type TestMessage = readonly ['user' | 'assistant' | 'system' | 'tool', string, string?];

export const CLAUDE_KEY = 'sk-ant-test-0123456789';
export const OPENAI_KEY = 'sk-proj-test-0123456789';

/** Environment in which both remote APIs are those of the fake server. */
export function describeModels(models: FakeModels): Environment {
  return {
    MEMORY_LLM_CLAUDE_API_KEY: CLAUDE_KEY,
    MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    MEMORY_LLM_OPENAI_API_KEY: OPENAI_KEY,
    MEMORY_LLM_OPENAI_BASE_URL: models.openaiUrl,
    MEMORY_LLM_OPENAI_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_OPENAI_TOKENS_PER_MINUTE: '0',
    // Keeps the circuit closed in tests of something else.
    MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000',
  };
}

export interface ExtractionOptions {
  readonly database: TestDatabase;
  readonly env?: Environment;
  /** Replaces the configured providers. */
  readonly providers?: (config: Config<'llm' | 'pricing'>, clock: Clock) => readonly LLMProvider[];
  readonly clock?: Clock;
  readonly shutdownTimeoutMs?: number;
}

/** An extraction service as its main composes it, on a database of its own, with helpers for tests. */
export class ExtractionService {
  private constructor(
    readonly running: RunningService,
    readonly tenantId: string,
    readonly clock: Clock,
    readonly categories: Categories,
    /** The lines of the log. */
    readonly lines: string[],
  ) {}

  static async start({ database, env = {}, clock = new SystemClock(), ...options }: ExtractionOptions) {
    const lines: string[] = [];
    const config = loadConfig(EXTRACTION_FRAGMENTS, {
      ANNALS_EXTRACTION_CONCURRENCY: '4',
      ANNALS_LEASE_MS: '5000',
      ...env,
    });
    const context = {
      ...createProcessContext({
        name: 'extraction',
        version: '0',
        logLevel: 'debug',
        logDestination: { write: (line) => void lines.push(line) },
        processMetrics: false,
      }),
      clock,
    };
    const providers = (options.providers ?? createExtractionProviders)(config, clock);
    const categories = openCategories(config, context.logger);
    const { redis } = database;
    const running = await startService(
      {
        context,
        config,
        listenAddress: { host: '127.0.0.1', port: 0, portVariable: 'ANNALS_HEALTH_PORT' },
        metrics: { host: '127.0.0.1' },
        shutdownTimeoutMs: options.shutdownTimeoutMs ?? 10_000,
        connect: () =>
          createInfrastructure(context, {
            stores: {
              database: database.app,
              queue: database.queue,
              coordination: redis ? { kind: 'redis', ...redis } : { kind: 'in_process' },
            },
            secretKey: 's'.repeat(32),
            relay: { releasePerTenant: 64, sweepIntervalMs: 500, sweepAfterMs: 1_000 },
            traced: false,
            models: readModelLimits(config),
          }),
        modules: [ExtractionModule.forRoot({ providers, categories })],
        consumes: ExtractionModule.consumes,
        queueNeed: 'required',
      },
      new AbortController().signal,
    );
    const { database: stores, ids } = running.infrastructure;
    const tenantId = await ensureTenant(stores, 'default', { ids, now: clock.now() });
    return new ExtractionService(running, tenantId, clock, categories, lines);
  }

  get database(): Database {
    return this.running.infrastructure.database;
  }

  stop(): Promise<boolean> {
    this.categories.close();
    return this.running.stop('the test is over');
  }

  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.inTenant(this.tenantId, work);
  }

  /** Accepts a batch of a new thread. `more` runs before any worker can claim it. */
  async post(said: readonly TestMessage[], more?: (tx: Tx, batchId: string) => Promise<void>): Promise<string> {
    const { ids, relay } = this.running.infrastructure;
    const now = this.clock.now();
    const batchId = await this.inTenant(async (tx) => {
      const { batchIds } = await acceptMessages(
        tx,
        newPost(
          said.map(([role, content, actorId = null]) => newMessage(content, now, { role, actorId })),
          now,
          { threadId: ids.next() },
        ),
        ids,
      );
      await more?.(tx, batchIds[0]!);
      return batchIds[0]!;
    });
    relay.kick();
    return batchId;
  }

  async read(id: string): Promise<Batch> {
    const [batch] = await this.inTenant((tx) => getBatches(tx, [id]));
    return batch!;
  }

  waitFor(id: string, state: BatchState, timeoutMs = 20_000): Promise<Batch> {
    return waitUntil(
      async () => {
        const batch = await this.read(id);
        return batch.status === state ? batch : undefined;
      },
      { describe: `the batch is ${state}`, timeoutMs },
    );
  }

  /** The outcomes of the batch's calls in the ledger, oldest first. */
  async listOutcomes(id: string): Promise<string[]> {
    const rows = await this.inTenant((tx) =>
      tx.query<{ provider: string; outcome: string }>(
        'SELECT provider, outcome FROM usage WHERE batch_id = $1 ORDER BY ts, id',
        [id],
      ),
    );
    return rows.map(({ provider, outcome }) => `${provider} ${outcome}`);
  }

  /** Logged events about models, oldest first. */
  listEvents(...names: string[]): { event: string; context: Record<string, unknown>; [field: string]: unknown }[] {
    type Line = { event: string; context: Record<string, unknown> };
    return this.lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => names.includes(event));
  }
}
