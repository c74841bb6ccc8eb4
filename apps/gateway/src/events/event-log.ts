import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER, METRICS } from '@annals/runtime';
import { type Database, isTransientDatabaseError, type NewEvent, recordEvents } from '@annals/storage';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Events that may wait to be written. */
export const MOST_WAITING = 10_000;
const FLUSH_EVERY_MS = 1_000;
/** Events of one statement. */
const CHUNK = 1_000;

/** An event as it is told: what is left out is not known. */
export type ToldEvent = Pick<NewEvent, 'node' | 'op' | 'status'> & Partial<Omit<NewEvent, 'id' | 'ts'>>;

/**
 * Writes operational events (SYS §14) behind the answers: they are collected and written together, one statement for each
 * tenant. What waits is bounded, and lost when the process is killed.
 */
@Injectable()
export class EventLog implements OnApplicationBootstrap, OnModuleDestroy {
  private tenants = new Map<string, NewEvent[]>();
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** What still waits is written, once, before the connections are closed. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.flush();
  }

  /** Says that something was done. Neither waits nor fails. */
  record(tenantId: string, { userId, threadId, memoryId, category, sim, ...what }: ToldEvent): void {
    const event = {
      id: this.ids.next(),
      userId: userId ?? null,
      threadId: threadId ?? null,
      memoryId: memoryId ?? null,
      category: category ?? null,
      sim: sim ?? null,
      ts: this.clock.now(),
      ...what,
    };
    if (this.waiting >= MOST_WAITING) return this.drop(1);
    this.keep(tenantId, [event]);
  }

  /** Writes what waits; joins the flush that runs. Never fails: what an outage keeps from being written waits on. */
  flush(): Promise<void> {
    this.flushing ??= this.flushAll().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  private async flushAll(): Promise<void> {
    const { tenants } = this;
    this.tenants = new Map();
    this.waiting = 0;
    for (const [tenantId, events] of tenants) {
      for (let start = 0; start < events.length; start += CHUNK) {
        await this.write(tenantId, events.slice(start, start + CHUNK));
      }
    }
  }

  private async write(tenantId: string, events: readonly NewEvent[]): Promise<void> {
    try {
      await this.database.inTenant(tenantId, (tx) => recordEvents(tx, events));
    } catch (error) {
      const room = isTransientDatabaseError(error) ? Math.max(0, MOST_WAITING - this.waiting) : 0;
      this.keep(tenantId, events.slice(0, room));
      if (events.length > room) this.drop(events.length - room, error);
    }
  }

  private keep(tenantId: string, events: readonly NewEvent[]): void {
    let waiting = this.tenants.get(tenantId);
    if (!waiting) this.tenants.set(tenantId, (waiting = []));
    waiting.push(...events);
    this.waiting += events.length;
  }

  private drop(count: number, error?: unknown): void {
    this.metrics.add('memory_llm_events_dropped_total', count);
    if (error !== undefined) this.logger.error('event_log_failed', { dropped: count, error });
  }
}
