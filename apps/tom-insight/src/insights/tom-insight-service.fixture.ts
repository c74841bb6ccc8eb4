import { type Environment, loadConfig } from '@annals/config';
import type { ExtractedItem } from '@annals/contracts';
import { type MemoryChange, UuidV7Generator } from '@annals/domain';
import {
  createExtractionProviders,
  createInfrastructure,
  createProcessContext,
  randomBytes,
  readModelLimits,
  type RunningService,
  startService,
} from '@annals/runtime';
import {
  acceptMessages,
  claimBatch,
  completeExtraction,
  ensureTenant,
  indexTurns,
  listInsights,
  listMindRuns,
  listWork,
  type Tx,
  writeMemories,
} from '@annals/storage';
import {
  type FakeModels,
  newMemory,
  newMessage,
  newPost,
  ShiftedClock,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';
import { TOM_INSIGHT_FRAGMENTS, TomInsightModule } from '../tom-insight.module.js';

export const HOUR_MS = 3_600_000;

/** Environment in which the fake server is the model. */
export function describeModel(models: FakeModels): Environment {
  return {
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_CLAUDE_API_KEY: 'sk-ant-test-0123456789',
    MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
    MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000',
  };
}

interface Spoken {
  readonly threadId?: string;
  readonly agentId?: string;
  /** Epoch ms; default: now. */
  readonly saidAt?: number;
  /** What is extracted of it. */
  readonly statement?: string;
}

/** The service as its main composes it, on a database of its own, with batches that were written before it. */
export class TomInsightService {
  private constructor(
    readonly running: RunningService,
    readonly tenantId: string,
    readonly clock: ShiftedClock,
    readonly lines: string[],
  ) {}

  static async start(database: TestDatabase, env: Environment = {}): Promise<TomInsightService> {
    const lines: string[] = [];
    const clock = new ShiftedClock();
    const config = loadConfig(TOM_INSIGHT_FRAGMENTS, {
      ANNALS_LEASE_MS: '5000',
      ANNALS_MINDS_BUSY_PERCENT: '100',
      ...env,
    });
    const context = {
      ...createProcessContext({
        name: 'tom-insight',
        version: '0',
        logLevel: 'info',
        logDestination: { write: (line) => void lines.push(line) },
        processMetrics: false,
      }),
      clock,
      ids: new UuidV7Generator(clock),
    };
    const running = await startService(
      {
        context,
        config,
        listenAddress: { host: '127.0.0.1', port: 0, portVariable: 'ANNALS_HEALTH_PORT' },
        metrics: { host: '127.0.0.1' },
        shutdownTimeoutMs: 10_000,
        connect: () =>
          createInfrastructure(context, {
            stores: { database: database.app, queue: database.queue },
            secretKey: 's'.repeat(32),
            relay: { releasePerTenant: 64, sweepIntervalMs: 300, sweepAfterMs: 500 },
            traced: false,
            models: readModelLimits(config),
            minds: { ...config.minds, isOn: true },
          }),
        modules: [TomInsightModule.forRoot({ providers: createExtractionProviders(config, clock) })],
        consumes: TomInsightModule.consumes(config),
        queueNeed: 'required',
      },
      new AbortController().signal,
    );
    const { database: stores, ids } = running.infrastructure;
    const tenantId = await ensureTenant(stores, 'default', { ids, now: clock.now() });
    return new TomInsightService(running, tenantId, clock, lines);
  }

  stop(): Promise<boolean> {
    return this.running.stop('the test is over');
  }

  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.running.infrastructure.database.inTenant(this.tenantId, work);
  }

  /** A batch of one message that was extracted and written, which asks for insights. */
  async speak(userId: string, content: string, spoken: Spoken = {}): Promise<void> {
    await this.finish(userId, await this.post(userId, content, spoken), spoken.statement);
  }

  /** A batch of one message, accepted only. Returns its id. */
  post(userId: string, content: string, { threadId, agentId, saidAt }: Spoken = {}): Promise<string> {
    const { ids } = this.running.infrastructure;
    const now = this.clock.now();
    const more = { userId, threadId: threadId ?? ids.next(), agentId: agentId ?? null };
    return this.inTenant(async (tx) => {
      const posted = await acceptMessages(tx, newPost([newMessage(content, saidAt ?? now)], now, more), ids);
      return posted.batchIds[0]!;
    });
  }

  /** Adds the turns of a batch to the index. */
  async index(batchId: string): Promise<void> {
    const { ids, relay } = this.running.infrastructure;
    await this.inTenant((tx) => indexTurns(tx, { batchId, now: this.clock.now(), ids }));
    relay.kick();
  }

  /** Extracts, indexes unless that is left for later, and writes an accepted batch. */
  async finish(userId: string, batchId: string, statement?: string, isIndexed = true): Promise<void> {
    const { ids, relay } = this.running.infrastructure;
    const { clock } = this;
    const now = clock.now();
    await this.inTenant(async (tx) => {
      const claim = await claimBatch(tx, { batchId, generation: 1, kind: 'extraction', now, leaseMs: 5_000 });
      if (claim.outcome !== 'claimed') throw new Error(`The batch is ${claim.outcome}.`);
      const items: ExtractedItem[] = [];
      const extracted = { batchId, fence: claim.fence, now, provider: 'local', model: 'rules', notice: null, items };
      const rest = { answer: '{}', settlement: null, promptVersion: null, diagnostics: null, prunedMessages: 0 };
      await completeExtraction(tx, { ...extracted, ...rest, trace: null }, ids);
      if (isIndexed) await indexTurns(tx, { batchId, now, ids });
      const held = await claimBatch(tx, { batchId, generation: 1, kind: 'persistence', now, leaseMs: 5_000 });
      if (held.outcome !== 'claimed') throw new Error(`The batch is ${held.outcome}.`);
      const changes = statement === undefined ? [] : [await this.toChange(tx, batchId, statement)];
      const batch = { id: batchId, fence: held.fence, generation: 1 };
      const command = { userId, actor: 'extraction', node: 'hotpath', changes, batch };
      await writeMemories(tx, command, { clock, ids, randomBytes });
    });
    relay.kick();
  }

  /** A memory that nobody's message states. */
  async state(userId: string, statement: string): Promise<void> {
    const { clock } = this;
    const { ids } = this.running.infrastructure;
    const changes: MemoryChange[] = [{ kind: 'observe', memory: newMemory(statement, clock.now()) }];
    await this.inTenant((tx) =>
      writeMemories(tx, { userId, actor: 'key:test', node: 'api', changes }, { clock, ids, randomBytes }),
    );
  }

  private async toChange(tx: Tx, batchId: string, statement: string): Promise<MemoryChange> {
    const [message] = await tx.query<{ id: string; content: string }>(
      'SELECT id, content FROM messages WHERE batch_id = $1',
      [batchId],
    );
    const sources = [{ messageId: message!.id, quote: message!.content }];
    return { kind: 'observe', memory: newMemory(statement, this.clock.now(), { origin: 'extraction', sources }) };
  }

  /** Lets time pass, and what is due then begin. */
  advance(ms: number): void {
    this.clock.advance(ms);
    this.running.infrastructure.relay.kick();
  }

  async listRuns(userId: string) {
    return (await this.inTenant((tx) => listMindRuns(tx, { user_id: userId, limit: 50 }))).items;
  }

  async listInsights(userId: string) {
    return (await this.inTenant((tx) => listInsights(tx, userId, { limit: 50 }))).items;
  }

  async findWork(userId: string) {
    const { items } = await this.inTenant((tx) => listWork(tx, { limit: 50 }));
    return items.find((work) => work.kind === 'insights' && work.user_id === userId);
  }

  /** Until the work of a user has ended, or waits for a time to come, or has failed. */
  async waitUntilQuiet(userId: string): Promise<void> {
    await waitUntil(
      async () => {
        const work = await this.findWork(userId);
        if (work === undefined || work.status === 'failed') return true;
        return work.status === 'deferred' && Date.parse(work.due_at) > this.clock.now();
      },
      { describe: `the work about ${userId} is quiet` },
    );
  }

  async waitForRuns(userId: string, count: number) {
    return waitUntil(
      async () => {
        const runs = await this.listRuns(userId);
        return runs.length >= count && runs.every(({ state }) => state !== 'running') ? runs : undefined;
      },
      { describe: `${count} runs about ${userId}` },
    );
  }
}
