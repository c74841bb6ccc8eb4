import {
  type AddGlobalMemory,
  type AddMemory,
  type MemoryType,
  type PatchMemory,
  PROCEDURAL_CATEGORY,
} from '@annals/contracts';
import { composeProcedure, formatStep } from '../writing/procedure.js';
import type { NewMemory } from './types.js';

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

/** What a successor takes over from the memory that it supersedes. */
type CopiedFields = Pick<NewMemory, 'content' | 'category' | 'type' | 'importance' | 'confidence' | 'pinned'>;

/**
 * The memory that supersedes `memory` with new content. Fields that the patch does not contain are copied. `now` in
 * epoch ms is its `valid_from`.
 */
export function composeSuccessor(memory: CopiedFields, patch: PatchMemory, now: number): NewMemory {
  const { content, category, type, importance, confidence, pinned } = { ...memory, ...patch };
  return { ...MANUAL_DEFAULTS, content, category, type, importance, confidence, pinned, validFrom: now, saidAt: now };
}

/** Whether a memory of `type` may be in `category`: procedures have one of their own, which nothing else is in. */
export function fitsProcedural(type: MemoryType, category: string): boolean {
  return (type === 'procedural') === (category === PROCEDURAL_CATEGORY);
}
