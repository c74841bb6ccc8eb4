import { z } from 'zod';
import {
  boundSchema,
  EMPTY_UPDATED_RANGE,
  externalIdSchema,
  instantSchema,
  isUpdatedRange,
  pageOf,
  pageShape,
  pathIdSchema,
  queryFlagSchema,
  storableText,
  uuidSchema,
} from '../primitives.js';
import { fieldErrorSchema } from './problem.js';
import { emotionalContextSchema, relationshipDynamicsSchema, significanceSchema } from '../memory/extracted-memory.js';
import {
  categorySchema,
  confidenceSchema,
  HISTORY_EVENTS,
  importanceSchema,
  MAX_MEMORY_LENGTH,
  memoryScopeSchema,
  memoryStateSchema,
  memoryTypeSchema,
} from '../memory/vocabulary.js';

/** A value of personal data, as it was said, or a placeholder. */
export const mentionsSchema = storableText(1, 500);

export const memorySourceSchema = z.object({
  conversation_id: uuidSchema,
  message_id: uuidSchema,
  external_id: z.string().nullable().describe('The id that the caller gave the message, if any.'),
  thread_id: z.string(),
  actor_id: z.string().nullable(),
  quote: z.string(),
  said_at: z.string(),
});
export type MemorySource = z.infer<typeof memorySourceSchema>;

/** What a model noted about a memory beside its content (docs/reference/memory-model.md#context-of-a-memory). */
export const memoryContextShape = {
  emotional_context: emotionalContextSchema.nullable().describe('For example `emotion` and `intensity`, 0–1.'),
  significance: significanceSchema.nullable().describe('Components of 0–1, `overall` among them.'),
  relationship_dynamics: relationshipDynamicsSchema.nullable().describe('For example `person`, `bond` and `change`.'),
};

const memoryContextSchema = z.object(memoryContextShape);
export type MemoryContext = z.infer<typeof memoryContextSchema>;

export const memorySchema = z.object({
  id: uuidSchema,
  scope: memoryScopeSchema.describe('`global`: it belongs to all users of the tenant, and no conversation changes it.'),
  user_id: z.string().nullable().describe('Null for a global memory.'),
  content: z.string(),
  category: z.string(),
  type: memoryTypeSchema,
  state: memoryStateSchema,
  importance: z.number().int(),
  confidence: z.number(),
  pinned: z.boolean(),
  origin: z.enum(['extraction', 'manual']),
  revision: z.number().int(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  superseded_by: uuidSchema.nullable(),
  recorded_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
  quarantine_reason: z.string().nullable(),
  ...memoryContextShape,
  sources: z.array(memorySourceSchema),
  provenance: z.object({
    provider: z.string().nullable(),
    model: z.string().nullable(),
    cost_micro_usd: z.number().int(),
  }),
});
export type Memory = z.infer<typeof memorySchema>;

const statementFilters = {
  category: categorySchema.optional(),
  type: memoryTypeSchema.optional(),
  state: memoryStateSchema.default('active').describe('`quarantined` and `soft_deleted` need the scope `admin`.'),
};

const changeFilters = {
  mentions: mentionsSchema
    .optional()
    .describe(
      'Only memories that contain this placeholder, or the value that it stands for. URLs are often logged: prefer the placeholder.',
    ),
  pinned: queryFlagSchema.optional(),
  include_superseded: queryFlagSchema.default(false),
  updated_after: boundSchema.optional(),
  updated_before: boundSchema.optional(),
};

export const listGlobalMemoriesQuerySchema = z
  .strictObject({ ...statementFilters, ...changeFilters, ...pageShape })
  .refine(isUpdatedRange, EMPTY_UPDATED_RANGE);

export const listMemoriesQuerySchema = z
  .strictObject({
    user_id: externalIdSchema.optional(),
    ...statementFilters,
    thread_id: externalIdSchema.optional(),
    agent_id: externalIdSchema.optional(),
    run_id: externalIdSchema.optional(),
    actor_id: externalIdSchema.optional(),
    app_id: externalIdSchema.optional(),
    ...changeFilters,
    ...pageShape,
  })
  .refine(isUpdatedRange, EMPTY_UPDATED_RANGE);
export type ListMemoriesQuery = z.infer<typeof listMemoriesQuerySchema>;

export const memoryPageSchema = pageOf(memorySchema);
export type MemoryPage = z.infer<typeof memoryPageSchema>;

/** Characters that numbering adds to a step: "20. ", a full stop, the end of the line. */
const STEP_NUMBERING_LENGTH = 6;

const memoryContentSchema = storableText(1, MAX_MEMORY_LENGTH).refine((text) => /[\p{L}\p{N}]/u.test(text), {
  error: 'Write a sentence: the content has no letter or digit.',
});

/** The category of procedures, and of nothing else (docs/reference/extraction.md#procedures). */
export const PROCEDURAL_CATEGORY = 'procedural';
/** Of a procedure: few and short steps (docs/reference/extraction.md#procedures). */
const MAX_STEPS = 20;
const MAX_STEP_LENGTH = 280;
const MAX_PROCEDURE_TITLE = 160;

const newMemoryShape = {
  content: memoryContentSchema.describe('One statement. For a procedure: its purpose, as in “How to deploy”.'),
  steps: z
    .array(storableText(1, MAX_STEP_LENGTH))
    .min(1)
    .max(MAX_STEPS)
    .optional()
    .describe('For a procedure: its steps, in order. They are stored as numbered instructions.'),
  category: categorySchema,
  type: memoryTypeSchema.default('semantic'),
  importance: importanceSchema.default(3),
  confidence: confidenceSchema.default(1),
  pinned: z.boolean().default(false),
  valid_from: instantSchema.optional(),
};

export const addGlobalMemorySchema = z.strictObject(newMemoryShape).superRefine(checkProcedure);
export type AddGlobalMemory = z.infer<typeof addGlobalMemorySchema>;

export const addMemorySchema = z
  .strictObject({
    user_id: pathIdSchema,
    thread_id: pathIdSchema
      .optional()
      .describe(
        'The thread whose delta reports the memory; filters by thread match the threads of its source messages.',
      ),
    ...newMemoryShape,
  })
  .superRefine(checkProcedure);
export type AddMemory = z.infer<typeof addMemorySchema>;

function checkProcedure({ type, category, steps, content }: AddGlobalMemory, context: z.RefinementCtx): void {
  const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (type !== 'procedural') {
    if (steps) addIssue('steps', 'Only a memory of type procedural has steps.');
    if (category === PROCEDURAL_CATEGORY)
      addIssue('type', 'The category procedural is only for memories of type procedural.');
    return;
  }
  if (!steps) addIssue('steps', 'Give the steps of the procedure, at least one.');
  if (category !== PROCEDURAL_CATEGORY) addIssue('category', 'A procedure belongs to the category procedural.');
  if (content.length > MAX_PROCEDURE_TITLE) {
    addIssue('content', `Describe the purpose of the procedure in at most ${MAX_PROCEDURE_TITLE} characters.`);
  }
  if ((steps ?? []).join('').length > MAX_MEMORY_LENGTH - MAX_PROCEDURE_TITLE - MAX_STEPS * STEP_NUMBERING_LENGTH) {
    addIssue('steps', 'The steps are too long in total. Split them into two procedures.');
  }
}

export const patchMemorySchema = z
  .strictObject({
    content: memoryContentSchema
      .optional()
      .describe('Different content creates a new memory that supersedes this one.'),
    category: categorySchema.optional(),
    importance: importanceSchema.optional(),
    pinned: z.boolean().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    error: 'Name at least one of content, category, importance, pinned.',
  });
export type PatchMemory = z.infer<typeof patchMemorySchema>;

/** What a key with bindings gets for a write to a global memory, which a path names by its id. */
export const GLOBAL_WRITE_PROBLEMS = ['forbidden_user', 'forbidden_agent', 'forbidden_category'] as const;

/** A violated writing constraint of a manual memory (docs/reference/writing-constraints.md#memories-written-by-hand). */
export const writingViolationSchema = fieldErrorSchema.required({ code: true });
export type WritingViolation = z.infer<typeof writingViolationSchema>;

/** Result of a direct write: it `inserted` a row, `updated` one with the same content, or changed nothing. */
export const memoryWrittenSchema = z.object({
  outcome: z.enum(['inserted', 'updated', 'unchanged', 'superseded', 'merged']),
  memory: memorySchema,
  warnings: z
    .array(writingViolationSchema)
    .optional()
    .describe(
      'The writing constraints that the text violates; it is stored as it was sent. Absent when there are none.',
    ),
});
export type MemoryWritten = z.infer<typeof memoryWrittenSchema>;

export const historyEntrySchema = z.object({
  seq: z.number().int(),
  event: z.enum(HISTORY_EVENTS),
  memory_id: uuidSchema,
  old_ref: uuidSchema.nullable(),
  new_ref: uuidSchema.nullable(),
  actor: z.string().nullable(),
  content: z.string().nullable().describe('The content as of this event; null once erased or purged.'),
  meta: z.record(z.string(), z.unknown()),
  hash: z.string().describe('Hex SHA-256 over the previous row’s hash and this row.'),
  ts: z.string(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export const historyPageSchema = pageOf(historyEntrySchema);
export type HistoryPage = z.infer<typeof historyPageSchema>;
