import type { routes } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import { countEvents, type Database, type EventView, listEvents } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { bindUser } from '../auth/check-bindings.js';
import { type Principal, tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Lists and counts operational events (docs/reference/audit.md#operational-events) that the caller's key may see. */
@Injectable()
export class EventsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
  ) {}

  async list({ query, caller }: Call<typeof routes.listEvents>) {
    const view = this.view(query, caller);
    return this.database.readTenant(tenantOf(caller), (tx) => listEvents(tx, query, view));
  }

  async count({ query, caller }: Call<typeof routes.countEvents>) {
    const view = this.view(query, caller);
    const before = query.before ?? new Date(this.clock.now() + 1).toISOString();
    const after = query.after ?? new Date(Date.parse(before) - DAY_MS).toISOString();
    return this.database.readTenant(tenantOf(caller), (tx) => countEvents(tx, { ...query, after, before }, view));
  }

  /** Throws `forbidden_user` or `forbidden_category` for a filter by a user or category that the key may not see. */
  private view(request: { user_id?: string | undefined; category?: string | undefined }, caller: Principal): EventView {
    bindUser(caller.bindings, request.user_id, 'query.user_id');
    if (request.category !== undefined) this.catalog.checkCategory(request.category, caller.bindings);
    return { userId: caller.bindings.userId, categories: this.catalog.visibleCategories(caller.bindings) };
  }
}
