import { type Environment, loadConfig } from '@annals/config';
import { type MemoryChange, UuidV7Generator } from '@annals/domain';
import { createEmbeddingProvider, hashText } from '@annals/llm-core';
import {
  createInfrastructure,
  createProcessContext,
  type Infrastructure,
  randomBytes,
  readModelLimits,
  type RunningService,
  startService,
} from '@annals/runtime';
import { Standalone, STANDALONE_FRAGMENTS } from '@annals/standalone';
import { ensureBootstrapKey, ensureTenant, type Tx, writeMemories } from '@annals/storage';
import {
  ApiClient,
  createTestPool,
  createTestKey,
  type FakeModels,
  newMemory,
  ShiftedClock,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';

const UNLIMITED = '1000000000';
const HOUR_MS = 3_600_000;
/** Work that runs now, or would if a worker were free. */
const BUSY_SQL = /* sql */ `SELECT count(*)::int AS busy FROM work
  WHERE failed_at IS NULL AND (available_at <= $1 OR claimed_until > $1 OR released_at IS NOT NULL)`;

/** All services in one process, as `npm start` composes them, on a test database, with a clock that the test advances. */
export class DrivenSystem {
  private readonly superuser;

  private constructor(
    readonly database: TestDatabase,
    readonly running: RunningService,
    readonly clock: ShiftedClock,
    readonly client: ApiClient,
    readonly tenantId: string,
  ) {
    this.superuser = createTestPool({
      connectionString: database.admin.url,
      options: '-c search_path=annals,public',
      max: 1,
    });
  }

  static async start(
    database: TestDatabase,
    { env = {}, clock = new ShiftedClock() }: { readonly env?: Environment; readonly clock?: ShiftedClock } = {},
  ): Promise<DrivenSystem> {
    const config = loadConfig(STANDALONE_FRAGMENTS, {
      ANNALS_HTTP_PORT: '0',
      ANNALS_SHUTDOWN_TIMEOUT_MS: '1000',
      ANNALS_MINDS_BUSY_PERCENT: '100',
      ...NO_LIMITS,
      ...env,
    });
    const created = createProcessContext({
      name: 'standalone',
      version: '0',
      logLevel: 'error',
      logDestination: { write: () => undefined },
      processMetrics: false,
    });
    const context = { ...created, clock, ids: new UuidV7Generator(clock) };
    const connect = (): Promise<Infrastructure> =>
      createInfrastructure(context, {
        stores: { database: database.app, queue: database.queue },
        secretKey: 's'.repeat(32),
        relay: config.relay,
        traced: false,
        models: readModelLimits(config),
        minds: config.minds,
      });
    const {
      prepare: _folder,
      closeStores: _database,
      ...definition
    } = new Standalone(context, config, () => undefined).definition;
    const running = await startService({ ...definition, connect }, new AbortController().signal);
    const text = createTestKey('driven');
    const { database: stores, ids } = running.infrastructure;
    const given = { text, now: clock.now(), ids, operator: false, ifRevoked: 'leave' } as const;
    const { tenantId } = await ensureBootstrapKey(stores, given);
    return new DrivenSystem(database, running, clock, new ApiClient(running.url, text), tenantId);
  }

  /** Finishes or returns what runs, as a deployment that is restarted. The database stays. */
  async stop(): Promise<void> {
    await this.superuser.end();
    await this.running.stop('the test is over');
  }

  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.running.infrastructure.database.inTenant(this.tenantId, work);
  }

  /** Queries as a superuser. */
  async query<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.superuser.query<Row>(sql, [...parameters])).rows;
  }

  /** Lets time pass in steps, and after each what is due is done. `onStep`: behind each step. */
  async pass(ms: number, stepMs = HOUR_MS, onStep?: () => unknown): Promise<void> {
    const { maintenance, relay } = this.running.infrastructure;
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      relay.kick();
      await maintenance.runDue();
      await this.waitUntilQuiet();
      await onStep?.();
    }
  }

  /** Until no work is due or under way: what is left waits for a time to come, or has failed. */
  async waitUntilQuiet(): Promise<void> {
    await waitUntil(async () => (await this.query<{ busy: number }>(BUSY_SQL, [this.now()]))[0]!.busy === 0, {
      describe: 'no work is due',
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }

  /** Another tenant, beside the one whose key the client has. */
  addTenant(name: string): Promise<string> {
    const { database, ids } = this.running.infrastructure;
    return ensureTenant(database, name, { ids, now: this.clock.now() });
  }

  /** Writes memories with their vectors, as a batch does, which asks for consolidation at the user's time of the day. */
  async remember(userId: string, contents: readonly string[], tenantId = this.tenantId): Promise<void> {
    const { database, ids } = this.running.infrastructure;
    const { clock } = this;
    const { vectors } = await embedder.embed(contents, {
      signal: new AbortController().signal,
      billingContext: { tenantId, userId: null, batch: null },
    });
    const { model } = embedder;
    const embeddings = new Map(
      contents.map((content, index) => [
        content,
        { model, contentHash: Buffer.from(hashText(content), 'hex'), vector: vectors[index]! },
      ]),
    );
    const changes = contents.map((content): MemoryChange => ({
      kind: 'observe',
      memory: newMemory(content, clock.now(), { importance: 2 }),
    }));
    const command = { userId, actor: 'test', node: 'api', changes, embeddings } as const;
    const written = await database.inTenant(tenantId, (tx) => writeMemories(tx, command, { clock, ids, randomBytes }));
    if (written.outcome !== 'applied') throw new Error(written.outcome);
  }

  /** A conversation of one user that has ended, with its memories. */
  async tell(userId: string, threadId: string, contents: readonly string[]): Promise<void> {
    const messages = contents.map((content) => ({ role: 'user' as const, content }));
    const body = { user_id: userId, thread_id: threadId, messages, end: true, flush: true };
    await this.client.must('postConversation', { body });
  }

  /** What is current of a user, without insights, in alphabetical order. */
  async listCurrent(userId: string): Promise<string[]> {
    const rows = await this.query<{ content: string }>(
      `SELECT content FROM memories WHERE user_id = $1 AND state = 'active' AND superseded_by IS NULL
        AND valid_to IS NULL AND type <> 'insight' ORDER BY content`,
      [userId],
    );
    return rows.map(({ content }) => content);
  }
}

const embedder = createEmbeddingProvider({ provider: 'hashed' });
const NO_LIMITS = {
  ANNALS_RATE_LIMIT_PER_MINUTE: '100000000',
  ANNALS_RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
};

/** Environment in which the fake server is the model of extraction and of minds, without limits of its own. */
export function describeModel(models: FakeModels): Environment {
  return {
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_CLAUDE_API_KEY: 'sk-ant-test-0123456789',
    MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: UNLIMITED,
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: UNLIMITED,
    MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000',
  };
}
