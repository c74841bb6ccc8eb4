import { type HistoryPage, type Memory, type MemoryPage, ProblemError, type routes } from '@annals/contracts';
import { DATABASE } from '@annals/runtime';
import { type Database, getMemoryHistory, listMemories } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { bindUser } from '../auth/check-bindings.js';
import { hasScope, tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { memoryNotFound, MemoryView } from './memory-view.js';

/** Lists and reads the memories that the caller's key may see. */
@Injectable()
export class MemoryReads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(MemoryView) private readonly view: MemoryView,
  ) {}

  async list({ query, caller }: Call<typeof routes.listMemories>): Promise<MemoryPage> {
    const userId = bindUser(caller.bindings, query.user_id, 'query.user_id');
    if (query.state !== 'active' && !hasScope(caller, 'admin')) {
      throw new ProblemError('forbidden_scope', `Use a key with the scope admin to list ${query.state} memories.`);
    }
    if (query.category !== undefined) this.view.checkCategory(query.category, caller);
    const categories = this.view.visibleCategories(caller);
    return this.database.readTenant(tenantOf(caller), (tx) =>
      listMemories(tx, userId === undefined ? query : { ...query, user_id: userId }, { categories }),
    );
  }

  async get({ params, caller }: Call<typeof routes.getMemory>): Promise<Memory> {
    return this.database.readTenant(tenantOf(caller), (tx) => this.view.findServed(tx, params.id, caller));
  }

  async getHistory({ params, query, caller }: Call<typeof routes.getMemoryHistory>): Promise<HistoryPage> {
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      await this.view.findServed(tx, params.id, caller);
      const page = await getMemoryHistory(tx, params.id, query);
      if (!page) throw memoryNotFound();
      return page;
    });
  }
}
