import { type Environment, loadConfig } from '@annals/config';
import {
  createExtractionProviders,
  createInfrastructure,
  createMindCaller,
  createMindWorkStage,
  createProcessContext,
  type Infrastructure,
  type MindStage,
  readEnergyLimits,
  readModelLimits,
  runWorkJob,
} from '@annals/runtime';
import {
  acceptMessages,
  type AcceptMessagesInput,
  Database,
  ensureTenant,
  failWork,
  indexTurns,
  listMindRuns,
  listWork,
  putApp,
  type Tx,
  writeAppMemory,
} from '@annals/storage';
import {
  type FakeModels,
  type FakeRequest,
  newMessage,
  newPost,
  ShiftedClock,
  type TestDatabase,
} from '@annals/testing';
import { CONSOLIDATION_WORKER_FRAGMENTS } from '../consolidation-worker.module.js';
import { type AppMemoryMindSubject, createAppMemoryStage } from './app-memory-mind.js';

const APP = 'planner';
const HOUR = 3_600_000;

/** The environment of a process that asks a model server, with energy for many calls. */
export function askModels(models: FakeModels): Environment {
  return {
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_CLAUDE_API_KEY: 'sk-ant-test-0123456789',
    MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000',
    MEMORY_LLM_TIMEOUT_MS: '1000',
    ANNALS_ENERGY_CAPACITY: '1000000',
    ANNALS_ENERGY_REFILL_PER_HOUR: '1000000',
  };
}

/** What a request to a model is about. */
export type Asked = 'creation' | 'compaction';

export function readTask({ userTexts }: FakeRequest): Asked {
  return userTexts[0]!.startsWith('<memories>') ? 'compaction' : 'creation';
}

export const answerMemory = (memory: string | null) => JSON.stringify({ memory });

export function answerDecision(action: 'delete' | 'edit', target: string, newContent: string | null = null): string {
  return JSON.stringify({ action, target, new_content: newContent, reason: 'of least use' });
}

type Stage = MindStage<AppMemoryMindSubject>;

/** A store is not there, and the job comes again. */
class DelayedJob extends Error {}

/** The mind of app memories over a database and, with `env`, a model server. The spec runs its jobs one by one. */
export class AppMemoryFixture {
  private constructor(
    private readonly test: TestDatabase,
    readonly infrastructure: Infrastructure,
    readonly clock: ShiftedClock,
    readonly tenantId: string,
    readonly stage: Stage,
    /** Logged lines, parsed. */
    readonly lines: readonly string[],
  ) {}

  static async open(test: TestDatabase, env: Environment = {}): Promise<AppMemoryFixture> {
    const config = loadConfig(CONSOLIDATION_WORKER_FRAGMENTS, env);
    const clock = new ShiftedClock();
    const lines: string[] = [];
    const logDestination = { write: (line: string) => void lines.push(line) };
    const context = {
      ...createProcessContext({
        name: 'consolidation-worker',
        version: '0',
        logLevel: 'info',
        logDestination,
        processMetrics: false,
      }),
      clock,
    };
    const { redis } = test;
    const infrastructure = await createInfrastructure(context, {
      stores: {
        database: test.app,
        queue: test.queue,
        coordination: redis ? { kind: 'redis', ...redis } : { kind: 'in_process' },
      },
      secretKey: 's'.repeat(32),
      relay: { releasePerTenant: 64, sweepIntervalMs: 500, sweepAfterMs: 1_000 },
      traced: false,
      models: readModelLimits(config),
      minds: config.minds,
    });
    const { database, ids } = infrastructure;
    const tenantId = await ensureTenant(database, 'default', { ids, now: clock.now() });
    const { timeoutMs, maxOutputTokens } = config.llm;
    const providers = createExtractionProviders(config, clock);
    const models = { providers, timeoutMs, maxOutputTokens, energy: readEnergyLimits(config) };
    const caller = createMindCaller(infrastructure, models);
    const stage = createAppMemoryStage({ infrastructure, caller, leaseMs: 30_000 });
    return new AppMemoryFixture(test, infrastructure, clock, tenantId, stage, lines);
  }

  close(): Promise<void> {
    return this.infrastructure.close();
  }

  readonly inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    this.infrastructure.database.inTenant(this.tenantId, work);

  async install(appId = APP, isShared = false): Promise<void> {
    await this.inTenant((tx) => putApp(tx, { appId, name: appId, isShared, now: this.clock.now() }));
  }

  /** A conversation of an app that ends with this post; its id. */
  async end(contents: readonly string[], fields: Partial<AcceptMessagesInput> = {}): Promise<string> {
    const conversationId = await this.endUnindexed(contents, fields);
    await this.index(conversationId);
    return conversationId;
  }

  /** The same before its turns are compared with what was deleted. */
  async endUnindexed(contents: readonly string[], fields: Partial<AcceptMessagesInput> = {}): Promise<string> {
    const now = this.clock.now();
    const messages = contents.map((content) => newMessage(content, now));
    const post = newPost(messages, now, { appId: APP, end: true, ...fields });
    const { conversationId } = await this.inTenant((tx) => acceptMessages(tx, post, this.infrastructure.ids));
    return conversationId;
  }

  async index(conversationId: string): Promise<void> {
    await this.inTenant(async (tx) => {
      const batches = await tx.query<{ id: string }>(
        'SELECT id FROM batches WHERE conversation_id = $1 AND indexed_at IS NULL AND sealed_at IS NOT NULL',
        [conversationId],
      );
      const request = { now: this.clock.now(), ids: this.infrastructure.ids };
      for (const { id: batchId } of batches) await indexTurns(tx, { batchId, ...request });
    });
  }

  /** Memories as a model has made them, each of a conversation in which a user said it. */
  async store(userId: string, memories: readonly { readonly said: string; readonly content: string }[]): Promise<void> {
    const { ids } = this.infrastructure;
    await this.inTenant(async (tx) => {
      for (const { said, content } of memories) {
        this.clock.advance(1);
        const now = this.clock.now();
        const post = newPost([newMessage(said, now)], now, { userId, appId: APP });
        const { conversationId } = await acceptMessages(tx, post, ids);
        const messages = await tx.query<{ id: string }>('SELECT id FROM messages WHERE conversation_id = $1', [
          conversationId,
        ]);
        const messageIds = messages.map(({ id }) => id);
        const fresh = { id: ids.next(), appId: APP, userId, conversationId, asOfSeq: 0, content, messageIds };
        const made = { ...fresh, provider: 'claude', model: null };
        await writeAppMemory(tx, { fresh: made, replaces: null, plan: null, state: 'active', now });
      }
    });
  }

  /** As a deletion hides it, or an echo that is found, which moves no watermark: the first message of a conversation. */
  async hideFirstMessage(conversationId: string, by: 'deletion' | 'echo'): Promise<void> {
    const admin = await Database.open(this.test.admin);
    await admin.inTenant(this.tenantId, async (tx) => {
      await tx.execute('UPDATE messages SET hidden_at = now() WHERE conversation_id = $1 AND seq = 0', [
        conversationId,
      ]);
      if (by === 'echo') return;
      await tx.execute('UPDATE conversations SET deletions = deletions + 1 WHERE id = $1', [conversationId]);
    });
    await admin.close();
  }

  /** Runs the work about a conversation as it is now in the queue, once. */
  async runJob(
    conversationId: string,
    { stage = this.stage, database = this.infrastructure.database }: { stage?: Stage; database?: Database } = {},
  ): Promise<string> {
    const [row] = await this.inTenant((tx) =>
      tx.query<{ generation: number }>(
        `SELECT generation FROM work WHERE subject_id = $1 AND kind = 'app_memory' AND failed_at IS NULL`,
        [conversationId],
      ),
    );
    if (!row) return 'nothing waits';
    const deps = { ...this.infrastructure, database };
    const work = { tenantId: this.tenantId, subjectId: conversationId, generation: row.generation };
    const attempt = {
      jobId: 'job',
      attempt: 1,
      attemptsLeft: 2,
      signal: new AbortController().signal,
      delayJob: (): never => {
        throw new DelayedJob();
      },
    };
    try {
      return await runWorkJob(deps, createMindWorkStage(deps, stage), work, attempt, (wait) => wait());
    } catch (error) {
      if (error instanceof DelayedJob) return 'delayed';
      // As the queue's worker does with an error that needs no other attempt.
      const { name, code } = error as { name: string; code: string };
      if (name !== 'PermanentJobError') throw error;
      const failure = { ...work, kind: 'app_memory', code, now: this.clock.now() } as const;
      await this.inTenant((tx) => failWork(tx, failure));
      return 'failed';
    }
  }

  /** Runs the work about a conversation until it has ended or failed. */
  async settle(conversationId: string, options: Parameters<AppMemoryFixture['runJob']>[1] = {}): Promise<string> {
    for (;;) {
      const outcome = await this.runJob(conversationId, options);
      if (outcome === 'nothing waits' || outcome === 'failed') return outcome;
      if (outcome === 'deferred' && (await this.findWork(conversationId))?.deferred_reason !== 'not_due') {
        this.clock.advance(HOUR);
      }
    }
  }

  async findWork(conversationId: string) {
    const { items } = await this.inTenant((tx) => listWork(tx, { limit: 100 }));
    return items.find(({ subject_id, kind }) => subject_id === conversationId && kind === 'app_memory');
  }

  async listRuns(conversationId: string) {
    const { items } = await this.inTenant((tx) => listMindRuns(tx, { kind: 'app_memory', limit: 100 }));
    return items.filter(({ subject_id }) => subject_id === conversationId);
  }

  /** Of all apps and users, oldest first. */
  listMemories(): Promise<
    { id: string; content: string; state: string; provider: string; replaced_by: string | null }[]
  > {
    return this.inTenant((tx) =>
      tx.query('SELECT id, content, state, provider, replaced_by FROM app_memories ORDER BY created_at, id'),
    );
  }

  async listActive(): Promise<string[]> {
    const memories = await this.listMemories();
    return memories.filter(({ state }) => state === 'active').map(({ content }) => content);
  }

  /** Calls in the ledger, by operation. */
  async countLedger(): Promise<Record<string, number>> {
    const rows = await this.inTenant((tx) =>
      tx.query<{ operation: string; calls: number }>(
        'SELECT operation, count(*)::integer AS calls FROM usage GROUP BY operation ORDER BY operation',
      ),
    );
    return Object.fromEntries(rows.map(({ operation, calls }) => [operation, calls]));
  }

  /** Logged lines with this event: their fields. */
  listLines(event: string): Record<string, unknown>[] {
    return this.lines
      .map((line) => JSON.parse(line) as { event: string; context: Record<string, unknown> })
      .filter((line) => line.event === event)
      .map(({ context }) => context);
  }
}
