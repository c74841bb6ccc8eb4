import type { NewMemory } from '@annals/domain';

/** A statement that was added by API at `now`; fields that a test does not give have defaults. */
export function newMemory(content: string, now: number, fields: Partial<NewMemory> = {}): NewMemory {
  return {
    content,
    category: 'profile',
    type: 'semantic',
    origin: 'manual',
    importance: 3,
    confidence: 0.8,
    pinned: false,
    emotionalContext: null,
    significance: null,
    relationshipDynamics: null,
    rationale: null,
    provider: null,
    model: null,
    costMicroUsd: 0,
    quarantineReason: null,
    validFrom: now,
    validTo: null,
    saidAt: now,
    sources: [],
    ...fields,
  };
}
