import type { AddMemory, Memory, PatchMemory } from '@annals/contracts';
import { composeProcedure, type NewMemory, formatStep } from '@annals/domain';

/**
 * What a memory by hand lacks: nobody extracted it, and it needs no quote
 * (docs/reference/writes.md#memories-written-by-hand).
 */
const MANUAL_DEFAULTS = {
  origin: 'manual',
  emotionalContext: null,
  significance: null,
  relationshipDynamics: null,
  rationale: null,
  provider: null,
  model: null,
  costMicroUsd: 0,
  quarantineReason: null,
  validTo: null,
  sources: [],
} as const;

/** A memory as a person wrote it. `now` in epoch ms: since when it holds, unless they say. */
export function composeNewMemory(input: AddMemory, now: number): NewMemory {
  const { content, category, type, importance, confidence, pinned } = input;
  return {
    ...MANUAL_DEFAULTS,
    content: input.steps ? writeProcedure(content, input.steps) : content,
    category,
    type,
    importance,
    confidence,
    pinned,
    validFrom: input.valid_from === undefined ? now : Date.parse(input.valid_from),
    saidAt: now,
    ...(input.thread_id === undefined ? {} : { threadId: input.thread_id }),
  };
}

/** Steps as instructions; what cannot be made one is kept as it was written. */
function writeProcedure(title: string, steps: readonly string[]): string {
  return composeProcedure({ title, steps: steps.map((step) => formatStep(step) ?? step) });
}

/** The memory that takes another one's place with new words; what the patch does not name stays as it was. */
export function composeSuccessor(memory: Memory, patch: PatchMemory, now: number): NewMemory {
  return {
    ...MANUAL_DEFAULTS,
    content: patch.content ?? memory.content,
    category: patch.category ?? memory.category,
    type: memory.type,
    importance: patch.importance ?? memory.importance,
    confidence: memory.confidence,
    pinned: patch.pinned ?? memory.pinned,
    validFrom: now,
    saidAt: now,
  };
}
