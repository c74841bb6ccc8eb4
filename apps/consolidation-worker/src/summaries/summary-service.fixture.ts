import { type Environment, loadConfig } from '@annals/config';
import type { MindRun } from '@annals/contracts';
import {
  createExtractionProviders,
  createInfrastructure,
  createProcessContext,
  type RunningService,
  startService,
  readModelLimits,
} from '@annals/runtime';
import {
  acceptMessages,
  type AcceptMessagesInput,
  askForSummaries,
  ensureTenant,
  indexTurns,
  listMindRuns,
  listWork,
  type NewMessage,
  type ReadSummary,
  readSummaries,
  type Tx,
} from '@annals/storage';
import { newMessage, newPost, ShiftedClock, type TestDatabase, waitUntil } from '@annals/testing';
import { CONSOLIDATION_WORKER_FRAGMENTS, ConsolidationWorkerModule } from '../consolidation-worker.module.js';

/** A consolidation worker as its main composes it, with minds on, and helpers for specs about summaries. */
export class SummaryService {
  private constructor(
    readonly running: RunningService,
    readonly tenantId: string,
    readonly clock: ShiftedClock,
    readonly lines: readonly string[],
  ) {}

  static async start(
    database: TestDatabase,
    { env = {}, clock = new ShiftedClock() }: { readonly env?: Environment; readonly clock?: ShiftedClock } = {},
  ): Promise<SummaryService> {
    const lines: string[] = [];
    const config = loadConfig(CONSOLIDATION_WORKER_FRAGMENTS, {
      // No spec waits for a lease to expire; where every core is busy, the first run of a process takes over ten seconds.
      ANNALS_LEASE_MS: '60000',
      ANNALS_MINDS_BUSY_PERCENT: '100',
      ...env,
    });
    const context = {
      ...createProcessContext({
        name: 'consolidation-worker',
        version: '0',
        logLevel: 'debug',
        logDestination: { write: (line) => void lines.push(line) },
        processMetrics: false,
      }),
      clock,
    };
    const { redis } = database;
    const running = await startService(
      {
        context,
        config,
        listenAddress: { host: '127.0.0.1', port: 0, portVariable: 'ANNALS_HEALTH_PORT' },
        metrics: { host: '127.0.0.1' },
        shutdownTimeoutMs: 10_000,
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
            minds: config.minds,
          }),
        modules: [ConsolidationWorkerModule.forRoot({ providers: createExtractionProviders(config, clock) })],
        consumes: ConsolidationWorkerModule.consumes(config),
        queueNeed: 'required',
      },
      new AbortController().signal,
    );
    const { database: stores, ids } = running.infrastructure;
    const tenantId = await ensureTenant(stores, 'default', { ids, now: clock.now() });
    return new SummaryService(running, tenantId, clock, lines);
  }

  stop(): Promise<boolean> {
    return this.running.stop('the test is over');
  }

  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.running.infrastructure.database.inTenant(this.tenantId, work);
  }

  get dependencies() {
    const { ids } = this.running.infrastructure;
    return { clock: this.clock, ids };
  }

  /** Posts to a thread, in the index when it is to be evicted, and returns the conversation. */
  async post(
    threadId: string,
    contents: readonly string[],
    rest: Partial<AcceptMessagesInput> & { readonly isIndexed?: boolean; readonly message?: Partial<NewMessage> } = {},
  ): Promise<string> {
    const { isIndexed = false, message, ...fields } = rest;
    const now = this.clock.now();
    const messages = contents.map((content) => newMessage(content, now, message));
    const { ids } = this.dependencies;
    const accepted = await this.inTenant((tx) =>
      acceptMessages(tx, newPost(messages, now, { threadId, maxMessages: 500, ...fields }), ids),
    );
    for (const batchId of isIndexed ? accepted.batchIds : []) {
      await this.inTenant((tx) => indexTurns(tx, { batchId, now: this.clock.now(), ids }));
    }
    this.running.infrastructure.relay.kick();
    return accepted.conversationId;
  }

  /** Asks for a summary as the commit of a batch does, due at once. */
  async ask(conversationId: string): Promise<void> {
    const request = { now: this.clock.now(), availableAt: this.clock.now(), trace: null, ids: this.dependencies.ids };
    await this.inTenant((tx) => askForSummaries(tx, [conversationId], request));
    this.running.infrastructure.relay.kick();
  }

  advance(ms: number): void {
    this.clock.advance(ms);
    this.running.infrastructure.relay.kick();
  }

  readAll(conversationId: string, withTombstones = true): Promise<ReadSummary[]> {
    return this.inTenant((tx) => readSummaries(tx, conversationId, { tier: null, withTombstones, limit: 200 }));
  }

  async readWhole(conversationId: string): Promise<ReadSummary | undefined> {
    return (await this.readAll(conversationId, false)).find(({ tier }) => tier === 'L3');
  }

  async listRuns(conversationId: string): Promise<MindRun[]> {
    const { items } = await this.inTenant((tx) => listMindRuns(tx, { limit: 100 }));
    return items.filter(({ subject_id }) => subject_id === conversationId);
  }

  async findWork(conversationId: string) {
    const { items } = await this.inTenant((tx) => listWork(tx, { limit: 100 }));
    return items.find(({ subject_id, kind }) => subject_id === conversationId && kind === 'summary');
  }

  /** Until nothing is to be done for the conversation any more, or it is deferred or failed. */
  waitForRest(conversationId: string) {
    return waitUntil(
      async () => {
        const work = await this.findWork(conversationId);
        return work === undefined ? { status: 'ended' as const } : isAtRest(work.status) ? work : undefined;
      },
      { describe: 'the work of the conversation is at rest' },
    );
  }
}

function isAtRest(status: string): boolean {
  return status === 'deferred' || status === 'failed';
}
