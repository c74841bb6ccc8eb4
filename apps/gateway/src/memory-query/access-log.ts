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
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';
import { BackgroundLog } from '../write-behind/background-log.js';

/** Most memories whose accesses may wait to be written; repeated reads of one memory count once. */
export const MAX_PENDING = 20_000;

/**
 * Records which memories were returned, after the responses, in the background. Accesses that are lost with the process
 * do little harm: at worst a memory expires as if it had not been read that time.
 */
@Injectable()
export class AccessLog extends BackgroundLog<MemoryAccess> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(CONFIG) { retention }: GatewayConfig,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(
      {
        maxPending: MAX_PENDING,
        flushIntervalMs: retention.accessFlushMs,
        keyOf: ({ memoryId }) => memoryId,
        merge: mergeAccesses,
        write: (tenantId, accesses) => this.write(tenantId, accesses),
        droppedMetric: 'memory_llm_accesses_dropped_total',
        failureEvent: 'access_log_failed',
      },
      { metrics, logger },
    );
  }

  /** Enqueues an access to each of these memories. Neither waits nor throws. */
  record(tenantId: string, memoryIds: readonly string[]): void {
    const at = this.clock.now();
    this.enqueue(
      tenantId,
      memoryIds.map((memoryId) => ({ memoryId, at, times: 1 })),
    );
  }

  private async write(tenantId: string, accesses: readonly MemoryAccess[]): Promise<void> {
    const unrecorded = await this.database.inTenant(tenantId, (tx) => recordAccess(tx, accesses));
    const busy = new Set(unrecorded.busy);
    this.enqueue(
      tenantId,
      accesses.filter(({ memoryId }) => busy.has(memoryId)),
    );
    this.metrics.add('memory_llm_accesses_recorded_total', accesses.length - busy.size);
    await this.revive(tenantId, unrecorded.expired);
  }

  /** Restores memories that expired between the read and its record. */
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
