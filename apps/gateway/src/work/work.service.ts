import { ProblemError, type routes, type WorkOverview } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, LOGGER, RELAY } from '@annals/runtime';
import { type Database, getWork, listWork, replayWork } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { readWorkOverview } from './read-work-overview.js';

/** Background work: that of a tenant, which can be replayed by hand, and an overview of all for operators. */
@Injectable()
export class WorkService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async readOverview(): Promise<WorkOverview> {
    const kinds = await readWorkOverview(this.database, this.clock);
    return {
      kinds: kinds.map(
        ({ kind, due, inFlight, scheduled, deferred, failed, oldestDueMs, oldestInFlightMs, reasons }) => ({
          kind,
          due,
          in_flight: inFlight,
          scheduled,
          deferred,
          failed,
          oldest_due_ms: oldestDueMs,
          oldest_in_flight_ms: oldestInFlightMs,
          reasons: reasons.map(({ state, code, rows }) => ({ state, code, rows })),
        }),
      ),
    };
  }

  async list({ query, caller }: Call<typeof routes.listWork>) {
    return this.database.readTenant(tenantOf(caller), (tx) => listWork(tx, query));
  }

  async replay(call: Call<typeof routes.replayWork>) {
    const { params, caller } = call;
    const answer = await this.writes.run(call, async (tx) => {
      const outcome = await replayWork(tx, params.id, this.clock.now());
      const work = await getWork(tx, params.id);
      if (outcome === 'not_found' || !work) throw notFound();
      if (outcome === 'not_failed') {
        throw new ProblemError('work_not_failed', 'Only failed work can be replayed; this work waits or is running.');
      }
      const owner = work.user_id === null ? {} : { userId: work.user_id };
      return { ...owner, answer: { status: 202, body: work } };
    });
    this.relay.kick();
    this.logger.info('work_replayed', { tenantId: tenantOf(caller), workId: params.id, byKeyId: caller.keyId });
    return answer;
  }
}

function notFound(): ProblemError {
  return new ProblemError('not_found', 'There is no work with this id. Work that is done is deleted.');
}
