import type { MemoryReasons, routes } from '@annals/contracts';
import { CONFIG, DATABASE } from '@annals/runtime';
import { allOf, areInsightsOn, type Database, explainMemory, listInsights } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import type { Call } from '../http/call.js';
import { MemoryView } from '../memories/memory-view.js';

/** What was inferred about a person, also while they have it switched off, and what any memory rests on. */
@Injectable()
export class InsightsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(MemoryView) private readonly view: MemoryView,
  ) {}

  async list({ params, query, caller }: Call<typeof routes.listInsights>) {
    const { user_id: userId } = params;
    const { isOnByDefault } = this.config.insights;
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      const [page, isOn] = await allOf([listInsights(tx, userId, query), areInsightsOn(tx, userId, isOnByDefault)]);
      return { ...page, insights: isOn ? ('on' as const) : ('off' as const) };
    });
  }

  async explain({ params, caller }: Call<typeof routes.explainMemory>): Promise<MemoryReasons> {
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      const { id, type, content, confidence, provenance } = await this.view.findServed(tx, params.id, caller);
      const { provider, model } = provenance;
      const { ground } = await explainMemory(tx, id, this.view.insightsOf(caller));
      return { memory_id: id, type, content, confidence, provenance: { provider, model }, ground };
    });
  }
}
