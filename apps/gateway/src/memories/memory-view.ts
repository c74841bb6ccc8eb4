import { type Memory, ProblemError } from '@annals/contracts';
import { ownerOf } from '@annals/domain';
import { CONFIG } from '@annals/runtime';
import { getMemory, type InsightView, readInsightAccess, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { hasScope, type Principal } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';

/** Restricts memories to those that a key may see. For the others the response is `not_found`. */
@Injectable()
export class MemoryView {
  constructor(
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  /** Whose insights the key may see. */
  insightsOf({ bindings }: Principal): InsightView {
    const { isOnByDefault } = this.config.insights;
    return { isOnByDefault, agentId: bindings.agentId, categories: this.catalog.visibleCategories(bindings) };
  }

  /**
   * A memory that the key may delete or restore: within its bindings, or global, which {@link MemoryChanges} lets few keys
   * write; quarantined ones only for the scope `admin`.
   */
  async findBound(tx: Tx, id: string, caller: Principal): Promise<Memory> {
    const memory = await getMemory(tx, id);
    if (!memory || !this.isWithin(memory, caller)) throw memoryNotFound();
    if (memory.type === 'insight' && !(await this.readAccess(tx, memory, caller)).isInView) throw memoryNotFound();
    const isQuarantined = memory.state !== 'active' && memory.quarantine_reason !== null;
    if (isQuarantined && !hasScope(caller, 'admin')) throw memoryNotFound();
    return memory;
  }

  /**
   * A memory that the key may read: ones that are not active only for the scope `admin`, and no insights about a person
   * who has switched them off. Throws `not_found`.
   */
  async findServed(tx: Tx, id: string, caller: Principal): Promise<Memory> {
    const memory = await this.findBound(tx, id, caller);
    if (memory.state !== 'active' && !hasScope(caller, 'admin')) throw memoryNotFound();
    if (memory.type === 'insight' && !(await this.readAccess(tx, memory, caller)).isOn) throw memoryNotFound();
    return memory;
  }

  private readAccess(tx: Tx, memory: Memory, caller: Principal) {
    return readInsightAccess(tx, { id: memory.id, userId: ownerOf(memory) }, this.insightsOf(caller));
  }

  /**
   * Throws `forbidden_category`, so that the transaction is undone, when a write resulted in a memory that the key may
   * not see, because the same content is already stored in another category, or changed such a memory: one that the
   * memory it was about superseded, was merged into, or had been written together with. The key may neither read its
   * sources and quotes nor set its pin, nor end it.
   */
  checkWritten(memory: Memory, written: readonly Pick<Memory, 'category'>[], caller: Principal): void {
    if (!this.isWithin(memory, caller)) {
      throw new ProblemError(
        'forbidden_category',
        'A memory with this content already exists in a category that this key may not use.',
      );
    }
    const categories = this.catalog.visibleCategories(caller.bindings);
    if (categories !== null && written.some(({ category }) => !categories.includes(category))) {
      throw new ProblemError(
        'forbidden_category',
        'This would also change a memory in a category that this key may not use.',
      );
    }
  }

  private isWithin(memory: Memory, caller: Principal): boolean {
    const { userId } = caller.bindings;
    if (userId !== null && memory.scope === 'user' && memory.user_id !== userId) return false;
    const categories = this.catalog.visibleCategories(caller.bindings);
    return categories === null || categories.includes(memory.category);
  }
}

export function memoryNotFound(): ProblemError {
  return new ProblemError('not_found', 'There is no memory with this id.');
}
