import type { routes } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import { countEvents, type Database, type EventView, listEvents } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Lists and counts operational events (docs/reference/audit.md#operational-events) that the caller's key may see. */
@Injectable()
export class EventsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ query, caller, access }: Call<typeof routes.listEvents>) {
    const view = viewOf(caller, access);
    return this.database.readTenant(tenantOf(caller), (tx) => listEvents(tx, query, view));
  }

  async count({ query, caller, access }: Call<typeof routes.countEvents>) {
    const view = viewOf(caller, access);
    const before = query.before ?? new Date(this.clock.now() + 1).toISOString();
    const after = query.after ?? new Date(Date.parse(before) - DAY_MS).toISOString();
    return this.database.readTenant(tenantOf(caller), (tx) => countEvents(tx, { ...query, after, before }, view));
  }
}

function viewOf({ bindings }: Call['caller'], { categories }: Call['access']): EventView {
  return { userId: bindings.userId, categories };
}
