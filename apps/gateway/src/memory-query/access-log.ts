import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, IDS, LOGGER, METRICS, randomBytes } from '@annals/runtime';
import {
  type Database,
  type MemoryAccess,
  recordAccess,
  restoreExpiredMemories,
  type UnrecordedAccess,
} from '@annals/storage';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';
import { WriteBehind } from '../write-behind/write-behind.js';

/** Memories that may wait to be noted; a memory that is read again takes no further place. */
export const MAX_PENDING = 20_000;

/**
 * Notes which memories were part of answers, behind the answers. What is lost with the process costs little: time then
 * deletes a memory at worst as if that read had not been.
 */
@Injectable()
export class AccessLog implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly accesses: WriteBehind<MemoryAccess>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(CONFIG) { retention }: GatewayConfig,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.accesses = new WriteBehind({
      maxPending: MAX_PENDING,
      flushIntervalMs: retention.accessFlushMs,
      keyOf: ({ memoryId }) => memoryId,
      merge: mergeAccesses,
      write: (tenantId, accesses) => this.write(tenantId, accesses),
      onDropped: (dropped, error) => {
        metrics.add('memory_llm_accesses_dropped_total', dropped);
        if (error !== undefined) logger.error('access_log_failed', { dropped, error });
      },
    });
  }

  onApplicationBootstrap(): void {
    this.accesses.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.accesses.stop();
  }

  /** Says that these memories are part of an answer. Neither waits nor fails. */
  record(tenantId: string, memoryIds: readonly string[]): void {
    const at = this.clock.now();
    this.accesses.enqueue(
      tenantId,
      memoryIds.map((memoryId) => ({ memoryId, at, times: 1 })),
    );
  }

  /** Writes what waits; joins the flush that runs. Never fails: what cannot be written waits on. */
  flush(): Promise<void> {
    return this.accesses.flush();
  }

  private async write(tenantId: string, accesses: readonly MemoryAccess[]): Promise<void> {
    const unnoted = await this.database.inTenant(tenantId, (tx) => recordAccess(tx, accesses));
    const busy = new Set(unnoted.busy);
    this.accesses.enqueue(
      tenantId,
      accesses.filter(({ memoryId }) => busy.has(memoryId)),
    );
    this.metrics.add('memory_llm_accesses_recorded_total', accesses.length - busy.size);
    await this.revive(tenantId, unnoted.expired);
  }

  /** Time removed them after they were read, so it was wrong to. */
  private async revive(tenantId: string, expired: UnrecordedAccess['expired']): Promise<void> {
    const { clock, ids } = this;
    for (const [userId, memories] of Map.groupBy(expired, (memory) => memory.userId)) {
      const memoryIds = memories.map(({ memoryId }) => memoryId);
      await this.database.inTenant(tenantId, (tx) =>
        restoreExpiredMemories(tx, { userId, memoryIds }, { clock, ids, randomBytes }),
      );
    }
  }
}

function mergeAccesses(known: MemoryAccess, { memoryId, at, times }: MemoryAccess): MemoryAccess {
  return { memoryId, at: Math.max(known.at, at), times: known.times + times };
}
