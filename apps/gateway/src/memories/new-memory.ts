import type { AddGlobalMemory, AddMemory, Memory, PatchMemory } from '@annals/contracts';
import { composeProcedure, type NewMemory, formatStep } from '@annals/domain';

/** What only extraction gives a memory (docs/reference/writes.md#manually-created-memories). */
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

/** A manually written memory. `now` in epoch ms is its `valid_from` unless `input` has one. */
export function composeNewMemory(
  input: AddGlobalMemory & Partial<Pick<AddMemory, 'thread_id'>>,
  now: number,
): NewMemory {
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

/** Rewrites the steps as instructions; a step that cannot be rewritten is stored as it is. */
function writeProcedure(title: string, steps: readonly string[]): string {
  return composeProcedure({ title, steps: steps.map((step) => formatStep(step) ?? step) });
}

/** The memory that supersedes `memory` with new content. Fields that the patch does not contain are copied. */
export function composeSuccessor(memory: Memory, patch: PatchMemory, now: number): NewMemory {
  const { content, category, type, importance, confidence, pinned } = { ...memory, ...patch };
  return { ...MANUAL_DEFAULTS, content, category, type, importance, confidence, pinned, validFrom: now, saidAt: now };
}
