import type { RelatedPage, routes } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import { type Database, listRelated } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { MemoryView } from '../memories/memory-view.js';

/** Lists the related memories of a memory that the caller's key may see. */
@Injectable()
export class RelatedReads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(MemoryView) private readonly view: MemoryView,
  ) {}

  async list({ params, query, caller }: Call<typeof routes.getRelatedMemories>): Promise<RelatedPage> {
    const categories = this.view.visibleCategories(caller);
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      await this.view.findServed(tx, params.id, caller);
      return listRelated(tx, { memoryId: params.id, categories, now: this.clock.now(), ...query });
    });
  }
}
