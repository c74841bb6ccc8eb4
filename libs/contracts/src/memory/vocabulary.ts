import { z } from 'zod';

/** Only `active` memories are served; `quarantined` ones only admins see (docs/reference/extraction.md#quarantine). */
export const MEMORY_STATES = ['active', 'quarantined', 'soft_deleted'] as const;
export const memoryStateSchema = z.enum(MEMORY_STATES);
export type MemoryState = z.infer<typeof memoryStateSchema>;

/** What kind of statement a memory is. `semantic` holds until changed, `episodic` happened once. */
export const MEMORY_TYPES = ['semantic', 'episodic', 'procedural', 'insight'] as const;
export const memoryTypeSchema = z.enum(MEMORY_TYPES);
export type MemoryType = z.infer<typeof memoryTypeSchema>;

/** Whose a memory is: one user's, or that of all users of the tenant (docs/reference/memory-model.md#global-memories). */
export const MEMORY_SCOPES = ['user', 'global'] as const;
export const memoryScopeSchema = z.enum(MEMORY_SCOPES);
export type MemoryScope = z.infer<typeof memoryScopeSchema>;

/** How two memories are related. Any other type that a model returns is stored as `related_to`. */
export const RELATION_TYPES = ['caused_by', 'part_of', 'follows', 'contradicts', 'related_to'] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

/** Which names exist is configuration (docs/reference/categories-and-agents.md#categories-and-allowlists). */
export const categorySchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, {
    error: 'Use a category name of lower-case letters, digits and underscores, for example "preferences".',
  })
  .describe(
    'The name of a category, for example `preferences`. A category that is not allowed is refused with a list of those that are.',
  );

/** 1 (trivial) to 5 (vital), see docs/reference/memory-model.md#importance-from-1-to-5. */
export const importanceSchema = z.number().int().min(1).max(5);

/** 0 to 1. */
export const confidenceSchema = z.number().min(0).max(1);

/** history.event (docs/reference/memory-model.md#history-and-change-log-events). */
export const HISTORY_EVENTS = [
  'ADD',
  'UPDATE',
  'DELETE',
  'MERGE',
  'LINK',
  'TTL',
  'RESTORE',
  'CONSENT',
  'UNDO',
  'QUARANTINE',
  'PURGE',
  'ERASE',
  'EVICT',
] as const;
export type HistoryEvent = (typeof HISTORY_EVENTS)[number];

/** change_log.event (docs/reference/memory-model.md#history-and-change-log-events). */
export const CHANGE_EVENTS = [
  'created',
  'updated',
  'merged',
  'deleted',
  'soft_deleted',
  'restored',
  'evicted',
] as const;
export type ChangeEvent = (typeof CHANGE_EVENTS)[number];

/** In UTF-16 units; prompts request at most 280 characters (docs/reference/writing-constraints.md#length-limits). */
export const MAX_MEMORY_LENGTH = 2_000;

/** In the order of reports (docs/reference/writing-constraints.md#rules-that-are-checked). */
export const WRITING_RULES = [
  'empty',
  'too_long',
  'too_many_sentences',
  'not_third_person',
  'pronoun_for_user',
  'not_self_contained',
  'not_past_tense',
] as const;
export type WritingRule = (typeof WRITING_RULES)[number];
