import { z } from 'zod';
import { emotionalContextSchema, relationshipDynamicsSchema, significanceSchema } from '../memory/extracted-memory.js';
import {
  categorySchema,
  confidenceSchema,
  importanceSchema,
  MAX_MEMORY_LENGTH,
  memoryTypeSchema,
  RELATION_TYPES,
} from '../memory/vocabulary.js';
import {
  externalIdSchema,
  instantSchema,
  pathIdSchema,
  queryFlagSchema,
  storableText,
  uuidSchema,
} from '../primitives.js';
import { contextValueSchema, insightsSwitchSchema, MAX_GOALS, SENSITIVE_FIELDS } from './context.js';
import { conversationKindSchema, MAX_MESSAGE_LENGTH, messageRoleSchema } from './conversations.js';

/** Of one request (docs/reference/moving.md#records). */
export const MAX_IMPORTED_CONVERSATIONS = 50;
export const MAX_IMPORTED_MESSAGES = 500;
export const MAX_IMPORTED_MEMORIES = 200;
const MAX_SOURCES = 100;
const MAX_RELATIONS = 100;
const MAX_FORMER_ENDS = 100;

/** The records of Annals' own exports; every other source is another system. */
export const OWN_IMPORT_SOURCE = 'annals';

/** The id that a memory has where it comes from. It is never stored: a UUID is kept, and of others one is made. */
const recordIdSchema = storableText(1, 200);

const scopeIdSchema = externalIdSchema.nullable().default(null);
const timeOrNull = instantSchema.nullable().default(null);

export const importedMessageSchema = z
  .strictObject({
    id: uuidSchema.describe('Kept unless another user of the tenant has it.'),
    external_id: externalIdSchema.nullable().default(null).describe('The id that the caller gave the message.'),
    role: messageRoleSchema,
    actor_id: scopeIdSchema,
    agent_id: scopeIdSchema,
    run_id: scopeIdSchema,
    app_id: scopeIdSchema,
    content: storableText(0, MAX_MESSAGE_LENGTH).describe('Empty only for a message that was forgotten.'),
    created_at: instantSchema.describe('When it was said.'),
    received_at: instantSchema.optional().describe('When the system that it comes from received it.'),
    hidden_at: timeOrNull.describe('Since when it is not recalled any more.'),
    evicted_at: timeOrNull,
    forgotten_at: timeOrNull.describe('When it lost words for good.'),
  })
  .refine(({ content, forgotten_at: forgottenAt }) => content !== '' || forgottenAt !== null, {
    error: 'Give the text of the message: only one that was forgotten has none.',
    path: ['content'],
  });
export type ImportedMessage = z.infer<typeof importedMessageSchema>;

export const importedConversationSchema = z.strictObject({
  id: uuidSchema.describe('Kept unless it is taken.'),
  thread_id: pathIdSchema.describe('Messages of a thread that the user has already are added to it.'),
  agent_id: scopeIdSchema,
  run_id: scopeIdSchema,
  app_id: scopeIdSchema,
  kind: conversationKindSchema.default('conversation'),
  created_at: instantSchema,
  ended_at: timeOrNull,
  messages: z.array(importedMessageSchema).default([]),
});
export type ImportedConversation = z.infer<typeof importedConversationSchema>;

const formerEndSchema = z.strictObject({ since: instantSchema, valid_to: instantSchema.nullable() });

export const importedMemorySchema = z.strictObject({
  id: recordIdSchema.describe('A UUID that is free is kept; any other id always becomes the same UUID.'),
  content: storableText(1, MAX_MEMORY_LENGTH).refine((text) => /[\p{L}\p{N}]/u.test(text), {
    error: 'Write a sentence: the content has no letter or digit.',
  }),
  category: categorySchema,
  type: memoryTypeSchema.default('semantic'),
  state: z.enum(['active', 'quarantined']).default('active'),
  origin: z
    .enum(['extraction', 'manual'])
    .default('manual')
    .describe('`extraction` needs at least one source: what rests on no message was not extracted.'),
  importance: importanceSchema.default(3),
  confidence: confidenceSchema.default(1),
  pinned: z.boolean().default(false),
  valid_from: instantSchema,
  valid_to: timeOrNull,
  superseded_by: recordIdSchema
    .nullable()
    .default(null)
    .describe('The id of the record that replaced it. It may be imported before or after.'),
  recorded_at: instantSchema.describe('Since when it was known.'),
  closed_at: timeOrNull.describe('Since when its end was known.'),
  former_ends: z
    .array(formerEndSchema)
    .max(MAX_FORMER_ENDS)
    .default([])
    .describe('Ends that were recorded before the present one.'),
  quarantine_reason: z
    .string()
    .regex(/^[a-z][a-z_]{0,60}$/, { error: 'Give the reason as a code, for example "not_own_words".' })
    .nullable()
    .default(null),
  emotional_context: emotionalContextSchema.nullable().default(null),
  significance: significanceSchema.nullable().default(null),
  relationship_dynamics: relationshipDynamicsSchema.nullable().default(null),
  rationale: storableText(0, 1_000).nullable().default(null),
  provider: storableText(1, 200).nullable().default(null),
  model: storableText(1, 200).nullable().default(null),
  cost_micro_usd: z.number().int().min(0).default(0).describe('What it cost then. It is not charged again.'),
  sources: z
    .array(z.strictObject({ message_id: uuidSchema, quote: storableText(1, MAX_MESSAGE_LENGTH) }))
    .max(MAX_SOURCES)
    .refine((sources) => new Set(sources.map(({ message_id: id }) => id)).size === sources.length, {
      error: 'Name each message once, with one quote.',
    })
    .default([])
    .describe('Messages that were imported before or are in the same request. The quote must occur in the message.'),
  relations: z
    .array(
      z.strictObject({
        to: recordIdSchema.describe('The id of a record.'),
        relation_type: z.enum(RELATION_TYPES),
        strength: z.number().min(0).max(1),
      }),
    )
    .max(MAX_RELATIONS)
    .default([]),
});
export type ImportedMemory = z.infer<typeof importedMemorySchema>;

const statedSchema = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ value, since: instantSchema.describe('When the person said or decided it.') });
const fieldSchema = statedSchema(contextValueSchema.nullable()).optional();

/** The user context, with the time that each value holds since; null: the person cleared it. */
export const importedContextSchema = z.strictObject({
  preferred_name: fieldSchema,
  pronouns: fieldSchema,
  city: fieldSchema,
  language: fieldSchema,
  tone: fieldSchema,
  insights: statedSchema(insightsSwitchSchema.nullable()).optional(),
  goals: z.array(statedSchema(contextValueSchema)).max(MAX_GOALS).default([]),
});
export type ImportedContext = z.infer<typeof importedContextSchema>;

export const importRecordsSchema = z
  .strictObject({
    source: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,30}$/, { error: 'Name the source in lower case, for example "mem0".' })
      .default(OWN_IMPORT_SOURCE)
      .describe('The system that the records come from. It is noted with memories that rest on no message.'),
    user_context: importedContextSchema.optional(),
    conversations: z.array(importedConversationSchema).max(MAX_IMPORTED_CONVERSATIONS).default([]),
    memories: z.array(importedMemorySchema).max(MAX_IMPORTED_MEMORIES).default([]),
  })
  .superRefine(({ user_context: values, conversations, memories }, context) => {
    const messages = conversations.reduce((sum, conversation) => sum + conversation.messages.length, 0);
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (messages > MAX_IMPORTED_MESSAGES) {
      refuse('conversations', `Send at most ${MAX_IMPORTED_MESSAGES} messages in one request.`);
    }
    if (conversations.length + memories.length === 0 && !values) {
      refuse('memories', 'Send at least one conversation or memory, or `user_context`.');
    }
  });
export type ImportRecords = z.infer<typeof importRecordsSchema>;

export const importQuerySchema = z.strictObject({
  dry_run: queryFlagSchema
    .default(false)
    .describe('Say what would be taken, and write nothing. Messages of earlier requests count as imported.'),
});

/** Why a record is not taken (docs/reference/moving.md#what-is-refused). */
export const IMPORT_REFUSALS = [
  'forgotten',
  'erased',
  'deleted',
  'sources_missing',
  'not_grounded',
  'forbidden_category',
  'writing_refused',
  'wrong_type',
  'wrong_times',
  'newer_value',
  'too_many_goals',
] as const;
export type ImportRefusal = (typeof IMPORT_REFUSALS)[number];

/** What a record refers to that is not there yet. */
export const PENDING_REFERENCES = ['superseded_by', 'relations', 'sources'] as const;

export const importedRecordSchema = z.object({
  outcome: z
    .enum(['taken', 'already_there', 'refused'])
    .describe('`already_there` also when something with the same content is: `id` is what stands for the record here.'),
  id: uuidSchema.nullable().describe('The id here; null for a record that was refused.'),
  code: z.enum(IMPORT_REFUSALS).optional().describe('Why it was refused.'),
  detail: z.string().optional().describe('The same as a sentence.'),
  differs: z
    .literal(true)
    .optional()
    .describe('It is there with another text, which stays: correct it with PATCH if it is to change.'),
  pending: z
    .array(z.enum(PENDING_REFERENCES))
    .optional()
    .describe('What it refers to that is not there yet: send the record again when it is.'),
});
export type ImportedRecord = z.infer<typeof importedRecordSchema>;

/** Fields of the user context, as an import answers them: each goal by itself. */
export const IMPORTED_FIELDS = [...SENSITIVE_FIELDS, 'tone', 'insights', 'goals'] as const;

export const importedValueSchema = importedRecordSchema
  .pick({ outcome: true, code: true, detail: true })
  .extend({ field: z.enum(IMPORTED_FIELDS) });
export type ImportedValue = z.infer<typeof importedValueSchema>;

const countsSchema = z.object({
  taken: z.number().int(),
  already_there: z.number().int(),
  refused: z.number().int(),
});

export const recordsImportedSchema = z.object({
  dry_run: z.boolean(),
  user_context: z
    .array(importedValueSchema)
    .describe('The values: fields in the order of the schema, then goals in that of the request.'),
  conversations: z
    .array(importedRecordSchema.extend({ messages: z.array(importedRecordSchema) }))
    .describe('In the order of the request.'),
  memories: z.array(importedRecordSchema).describe('In the order of the request.'),
  counts: z.object({
    user_context: countsSchema,
    conversations: countsSchema,
    messages: countsSchema,
    memories: countsSchema,
  }),
});
export type RecordsImported = z.infer<typeof recordsImportedSchema>;
