import type { ConsolidationMemory } from './types.js';

/** A memory that nothing is special about; created and last changed at 20 May 2026 unless given. */
export function createMemory(id: string, fields: Partial<ConsolidationMemory> = {}): ConsolidationMemory {
  const createdAt = fields.createdAt ?? Date.UTC(2026, 4, 20);
  return {
    id,
    revision: 1,
    content: 'The user plays chess.',
    type: 'semantic',
    category: 'personal',
    importance: 2,
    pinned: false,
    isConsented: false,
    createdAt,
    updatedAt: createdAt,
    saidAt: createdAt,
    validFrom: createdAt,
    accesses: 0,
    lastAccessedAt: null,
    threads: 1,
    rerankedAt: null,
    ...fields,
  };
}
