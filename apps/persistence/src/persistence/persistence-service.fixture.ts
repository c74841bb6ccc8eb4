import { loadConfig, type Environment } from '@annals/config';
import type { Batch, ExtractedItem, Memory } from '@annals/contracts';
import type { EmbeddingProvider } from '@annals/llm-core';
import {
  createExtractionProviders,
  createInfrastructure,
  createProcessContext,
  readModelLimits,
  type RunningService,
  startService,
} from '@annals/runtime';
import {
  acceptMessages,
  claimBatch,
  completeExtraction,
  ensureTenant,
  getBatches,
  listMemories,
  loadBatchConversation,
  type Tx,
} from '@annals/storage';
import { newMessage, newPost, type TestDatabase, waitUntil } from '@annals/testing';
import { PERSISTENCE_FRAGMENTS, PersistenceModule } from './persistence.module.js';

/** The extraction of a batch of one message. */
export interface TestExtraction {
  readonly userId: string;
  readonly threadId?: string;
  readonly saidAt?: number;
  /** The content of the message. It contains "What was said", which the items quote. */
  readonly message?: string;
  readonly items: readonly Partial<ExtractedItem>[];
}

/**
 * A persistence service as its main composes it, on a database of its own, with helpers that create extracted batches.
 */
export class PersistenceService {
  private constructor(
    readonly running: RunningService,
    readonly tenantId: string,
    /** The lines of the log. */
    readonly lines: string[],
  ) {}

  static async start(database: TestDatabase, embedder: EmbeddingProvider, env: Environment = {}) {
    const lines: string[] = [];
    const config = loadConfig(PERSISTENCE_FRAGMENTS, { ANNALS_LEASE_MS: '5000', ANNALS_MINDS: 'off', ...env });
    const context = createProcessContext({
      name: 'persistence',
      version: '0',
      logLevel: 'info',
      logDestination: { write: (line) => void lines.push(line) },
      processMetrics: false,
    });
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
            relay: { releasePerTenant: 64, sweepIntervalMs: 60_000, sweepAfterMs: 60_000 },
            traced: false,
            models: readModelLimits(config),
            minds: config.minds,
          }),
        modules: [PersistenceModule.forRoot({ embedder, providers: createExtractionProviders(config, context.clock) })],
        consumes: PersistenceModule.consumes,
        queueNeed: 'required',
      },
      new AbortController().signal,
    );
    const { database: stores, ids, clock } = running.infrastructure;
    const tenantId = await ensureTenant(stores, 'default', { ids, now: clock.now() });
    return new PersistenceService(running, tenantId, lines);
  }

  stop(): Promise<boolean> {
    return this.running.stop('the test is over');
  }

  /** The same service for another tenant. */
  asTenant(tenantId: string): PersistenceService {
    return new PersistenceService(this.running, tenantId, this.lines);
  }

  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.running.infrastructure.database.inTenant(this.tenantId, work);
  }

  /** Creates an extracted batch of one message, which waits in the outbox for persistence. */
  async extract({ userId, threadId, saidAt, items, message = 'What was said.' }: TestExtraction): Promise<string> {
    const { ids, clock, relay } = this.running.infrastructure;
    const now = clock.now();
    const { batchIds } = await this.inTenant((tx) =>
      acceptMessages(
        tx,
        // Due only after the batch has been extracted below.
        newPost([newMessage(message, saidAt ?? now)], now + 60_000, { userId, threadId: threadId ?? ids.next() }),
        ids,
      ),
    );
    const batchId = batchIds[0]!;
    await this.inTenant(async (tx) => {
      const claim = await claimBatch(tx, { batchId, generation: 1, kind: 'extraction', now, leaseMs: 5_000 });
      if (claim.outcome !== 'claimed') throw new Error(`The batch is ${claim.outcome}.`);
      const { messages } = await loadBatchConversation(tx, batchId, { contextMessages: 0 });
      const evidence = [{ message_id: messages[0]!.id, quote: 'What was said' }];
      await completeExtraction(
        tx,
        {
          batchId,
          fence: claim.fence,
          now,
          provider: 'local',
          model: 'rules',
          notice: null,
          answer: '{}',
          items: items.map((item) => ({
            content: 'Nothing.',
            category: 'profile',
            type: 'semantic',
            importance: 2,
            confidence: 0.8,
            evidence,
            ...item,
          })),
          settlement: null,
          promptVersion: null,
          diagnostics: null,
          prunedMessages: 0,
          trace: null,
        },
        ids,
      );
    });
    relay.kick();
    return batchId;
  }

  waitUntilDone(id: string): Promise<Batch> {
    return waitUntil(
      async () => {
        const [batch] = await this.inTenant((tx) => getBatches(tx, [id]));
        return batch?.status === 'done' ? batch : undefined;
      },
      { describe: 'the batch is done' },
    );
  }

  /** Writes one statement and returns its batch. */
  async writeStatement(userId: string, content: string, more: Partial<TestExtraction> = {}): Promise<Batch> {
    return this.waitUntilDone(await this.extract({ userId, items: [{ content }], ...more }));
  }

  async listMemories(userId: string, isEverything = false): Promise<Memory[]> {
    const query = { user_id: userId, state: 'active', limit: 50, include_superseded: isEverything } as const;
    return (await this.inTenant((tx) => listMemories(tx, query, { categories: null }))).items;
  }

  eventsNamed(event: string): { event: string; context: Record<string, unknown> }[] {
    return this.lines
      .map((line) => JSON.parse(line) as { event: string; context: Record<string, unknown> })
      .filter((line) => line.event === event);
  }
}
