import { type Clock, type IdGenerator, readSystemRandomBytes } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, IDS, LOGGER, METRICS } from '@annals/runtime';
import {
  type Database,
  isTransientDatabaseError,
  type MemoryAccess,
  recordAccess,
  reviveMemories,
  type UnnotedAccess,
} from '@annals/storage';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';

/** Memories that may wait to be noted; a memory that is read again takes no further place. */
export const MOST_WAITING = 20_000;

interface Waiting {
  at: number;
  times: number;
}

/**
 * Notes which memories were part of answers, behind the answers: reads are collected and written together, one
 * statement for each tenant. What waits is bounded, and lost when the process is killed: time then deletes a memory at
 * worst as if that read had not been.
 */
@Injectable()
export class AccessLog implements OnApplicationBootstrap, OnModuleDestroy {
  private tenants = new Map<string, Map<string, Waiting>>();
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), this.config.retention.accessFlushMs).unref();
  }

  /** What still waits is written, once, before the connections are closed. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.flush();
  }

  /** Says that these memories are part of an answer. Neither waits nor fails. */
  note(tenantId: string, memoryIds: readonly string[]): void {
    const at = this.clock.now();
    for (const memoryId of memoryIds) this.keep(tenantId, { memoryId, at, times: 1 });
  }

  /** Writes what waits; joins the flush that runs. Never fails: what cannot be written waits on. */
  flush(): Promise<void> {
    this.flushing ??= this.flushAll().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  private async flushAll(): Promise<void> {
    const { tenants } = this;
    this.tenants = new Map();
    this.waiting = 0;
    for (const [tenantId, memories] of tenants) {
      const accesses = [...memories].map(([memoryId, { at, times }]) => ({ memoryId, at, times }));
      await this.write(tenantId, accesses);
    }
  }

  private async write(tenantId: string, accesses: readonly MemoryAccess[]): Promise<void> {
    try {
      const unnoted = await this.database.inTenant(tenantId, (tx) => recordAccess(tx, accesses));
      const busy = new Set(unnoted.busy);
      for (const access of accesses) if (busy.has(access.memoryId)) this.keep(tenantId, access);
      this.metrics.add('memory_llm_accesses_recorded_total', accesses.length - busy.size);
      await this.revive(tenantId, unnoted.expired);
    } catch (error) {
      if (isTransientDatabaseError(error)) for (const access of accesses) this.keep(tenantId, access);
      else this.drop(accesses.length, error);
    }
  }

  /** Time removed them after they were read, so it was wrong to. */
  private async revive(tenantId: string, expired: UnnotedAccess['expired']): Promise<void> {
    const { clock, ids } = this;
    const randomBytes = (size: number) => Buffer.from(readSystemRandomBytes(size));
    for (const [userId, memories] of Map.groupBy(expired, (memory) => memory.userId)) {
      const memoryIds = memories.map(({ memoryId }) => memoryId);
      await this.database.inTenant(tenantId, (tx) =>
        reviveMemories(tx, { userId, memoryIds }, { clock, ids, randomBytes }),
      );
    }
  }

  private keep(tenantId: string, { memoryId, at, times }: MemoryAccess): void {
    let memories = this.tenants.get(tenantId);
    if (!memories) this.tenants.set(tenantId, (memories = new Map()));
    const known = memories.get(memoryId);
    if (known) {
      known.at = Math.max(known.at, at);
      known.times += times;
      return;
    }
    if (this.waiting >= MOST_WAITING) return this.drop(1);
    this.waiting += 1;
    memories.set(memoryId, { at, times });
  }

  private drop(count: number, error?: unknown): void {
    this.metrics.add('memory_llm_accesses_dropped_total', count);
    if (error !== undefined) this.logger.error('access_log_failed', { dropped: count, error });
  }
}
