import {
  type BreakerPolicy,
  type Coordination,
  createInProcessCoordination,
  createRedisCoordination,
  DEFAULT_BREAKER_POLICY,
} from '@annals/coordination';
import { type IdGenerator, ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { createLogger, createMetrics, type Metrics } from '@annals/observability';
import { createTenant, Database, raiseBudgetEpoch } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { findNextBudgetDay, toBudgetDay } from './budget-day.js';
import { createModelCalls, type ModelAccess } from './create-model-calls.js';
import type { Invocation, ModelCall } from './model-calls.js';
import type { SpendingLimits } from './model-limits.js';

const NOON = Date.UTC(2026, 10, 21, 12);

export const UNLIMITED: SpendingLimits = { deploymentMicroUsd: null, tenantMicroUsd: null, providersMicroUsd: {} };

/** Logged lines: envelope fields on top, all others under `context`. */
interface LoggedLine {
  readonly event: string;
  readonly context: Record<string, unknown>;
  readonly [field: string]: unknown;
}

export interface ModelCallsInstanceOptions {
  readonly spending?: SpendingLimits;
  readonly coordination?: Coordination;
  readonly requestsPerMinute?: number;
  /** Replaces the database, to let it fail. */
  readonly database?: Database;
}

/** One process: an instance with its log and metrics. */
export type ModelCallsInstance = ModelAccess & { readonly lines: LoggedLine[]; readonly metrics: Metrics };

/** A database with a manual clock, and any number of processes on it. */
export class ModelCallsFixture {
  readonly clock = new ManualClock(NOON);
  readonly ids: IdGenerator = new UuidV7Generator(this.clock, new SeededRng(7));

  private readonly coordinations: Coordination[] = [];
  private readonly rng = new SeededRng(5);

  private constructor(
    private readonly test: TestDatabase,
    readonly database: Database,
  ) {}

  static async open(options: Parameters<typeof Database.open>[1] = {}): Promise<ModelCallsFixture> {
    const test = await createTestDatabase();
    return new ModelCallsFixture(test, await Database.open(test.app, options));
  }

  async close(): Promise<void> {
    await Promise.all(this.coordinations.map((coordination) => coordination.close()));
    await this.database.close();
    await this.test.drop();
  }

  /** The UTC day of its clock. */
  get today(): string {
    return toBudgetDay(this.clock.now());
  }

  /** Advances to noon of a day without spend. */
  beginDay(): void {
    const now = this.clock.now();
    this.clock.advance(findNextBudgetDay(now) + HALF_DAY_MS - now);
  }

  async makeTenant(): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name: id, now: this.clock.now() });
    return id;
  }

  /** An empty coordination store of the profile under test; by default its breaker does not open. */
  async createCoordination(breaker: Partial<BreakerPolicy> = { minAttempts: 1_000 }): Promise<Coordination> {
    const { redis } = this.test;
    const breakerPolicy = { ...DEFAULT_BREAKER_POLICY, ...breaker };
    const coordination = redis
      ? createRedisCoordination({
          redis: redis.url,
          keyPrefix: `${redis.prefix}${this.ids.next()}`,
          breakerPolicy,
          rng: this.rng,
          // Thousands of commands run concurrently here, and none may time out.
          commandTimeoutMs: 30_000,
        })
      : createInProcessCoordination({ breakerPolicy });
    this.coordinations.push(coordination);
    await coordination.ping();
    return coordination;
  }

  async openInstance({
    spending = UNLIMITED,
    coordination,
    database,
    requestsPerMinute,
  }: ModelCallsInstanceOptions = {}): Promise<ModelCallsInstance> {
    const lines: LoggedLine[] = [];
    const { clock, ids } = this;
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LoggedLine) };
    const metrics = createMetrics({ service: 'test', version: '0', processMetrics: false });
    const access = createModelCalls({
      database: database ?? this.database,
      coordination: coordination ?? (await this.createCoordination()),
      clock,
      ids,
      logger: createLogger({ service: 'test', level: 'debug', clock, destination }),
      metrics,
      limits: {
        spending,
        models: [
          { provider: 'claude', model: 'haiku', rates: { ...NO_RATES, requestsPerMinute: requestsPerMinute ?? null } },
        ],
      },
    });
    return { ...access, lines, metrics };
  }

  /** The ledger of a day. */
  readLedger(day: string) {
    return raiseBudgetEpoch(this.database, day);
  }
}

const HALF_DAY_MS = 12 * 3_600_000;
const NO_RATES = { requestsPerMinute: null, tokensPerMinute: null };

/** An answer with this cost. */
export function answerFor(costMicroUsd: number): Invocation<string> {
  return { value: 'answer', usage: { inputTokens: 10, outputTokens: 5 }, costMicroUsd };
}

/** A call of 100 micro-USD at most. */
export function makeCall(tenantId: string, more: Partial<ModelCall<string>> = {}): ModelCall<string> {
  return {
    tenantId,
    userId: null,
    batch: null,
    operation: 'extraction',
    provider: 'claude',
    model: 'haiku',
    maxCostMicroUsd: 100,
    expectedTokens: 15,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    invoke: async () => answerFor(40),
    ...more,
  };
}

export function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
