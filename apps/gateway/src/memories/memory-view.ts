import { type Memory, ProblemError } from '@annals/contracts';
import { getMemory, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { hasScope, type Principal } from '../auth/principal.js';

/** What of a tenant's memories a key may see. To a key, what it may not see does not exist. */
@Injectable()
export class MemoryView {
  constructor(@Inject(AgentCatalog) private readonly catalog: AgentCatalog) {}

  /** Categories of a key: its own and those of the agent it is bound to; null means all. */
  visibleCategories({ bindings }: Principal): readonly string[] | null {
    return this.catalog.visibleCategories(bindings);
  }

  /** Throws `forbidden_category` that names the category, unless the key may use it. */
  checkCategory(category: string, { bindings }: Principal): void {
    this.catalog.checkCategory(category, bindings);
  }

  /** A memory that the key may delete or restore: within its bindings, and what is quarantined for admins alone. */
  async findBound(tx: Tx, id: string, caller: Principal): Promise<Memory> {
    const memory = await getMemory(tx, id);
    if (!memory || !this.isWithin(memory, caller)) throw memoryNotFound();
    const isHeldBack = memory.state !== 'active' && memory.quarantine_reason !== null;
    if (isHeldBack && !hasScope(caller, 'admin')) throw memoryNotFound();
    return memory;
  }

  /** A memory that the key may read: what is not served is for admins. Throws `not_found`. */
  async findServed(tx: Tx, id: string, caller: Principal): Promise<Memory> {
    const memory = await this.findBound(tx, id, caller);
    if (memory.state !== 'active' && !hasScope(caller, 'admin')) throw memoryNotFound();
    return memory;
  }

  /**
   * Throws `forbidden_category` when a write ended in a memory that the key may not see: the same words are remembered
   * under another category. Its sources and quotes are not this key's to read, nor its pin to set.
   */
  checkWritten(memory: Memory, caller: Principal): void {
    if (this.isWithin(memory, caller)) return;
    throw new ProblemError(
      'forbidden_category',
      'These words are remembered already, under a category outside what this key may use.',
    );
  }

  private isWithin(memory: Memory, caller: Principal): boolean {
    const { userId } = caller.bindings;
    if (userId !== null && memory.user_id !== userId) return false;
    const categories = this.visibleCategories(caller);
    return categories === null || categories.includes(memory.category);
  }
}

export function memoryNotFound(): ProblemError {
  return new ProblemError('not_found', 'There is no memory with this id.');
}
