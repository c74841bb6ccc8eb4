import type { Clock, IdGenerator } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER, METRICS } from '@annals/runtime';
import { type Database, type NewEvent, recordEvents } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { BackgroundLog } from '../write-behind/background-log.js';

/** Most events that may wait to be written. */
const MAX_PENDING = 10_000;
const FLUSH_INTERVAL_MS = 1_000;
const BATCH_SIZE = 1_000;

const NO_DETAILS = { userId: null, threadId: null, memoryId: null, category: null, sim: null };

/** An event as it is reported. Omitted fields are stored as null. */
export type EventInput = Pick<NewEvent, 'node' | 'op' | 'status'> & Partial<Omit<NewEvent, 'id' | 'ts'>>;

/** Writes operational events (docs/reference/audit.md#operational-events) after the responses, in the background. */
@Injectable()
export class EventLog extends BackgroundLog<NewEvent> {
  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(
      {
        maxPending: MAX_PENDING,
        flushIntervalMs: FLUSH_INTERVAL_MS,
        batchSize: BATCH_SIZE,
        keyOf: ({ id }) => id,
        write: (tenantId, events) => database.inTenant(tenantId, (tx) => recordEvents(tx, events)),
        droppedMetric: 'memory_llm_events_dropped_total',
        failureEvent: 'event_log_failed',
      },
      { metrics, logger },
    );
  }

  record(tenantId: string, event: EventInput): void {
    this.enqueue(tenantId, [{ ...NO_DETAILS, ...event, id: this.ids.next(), ts: this.clock.now() }]);
  }
}
