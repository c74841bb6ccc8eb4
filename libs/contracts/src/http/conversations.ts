import { z } from 'zod';
import { batchPrioritySchema } from './batches.js';
import { categorySchema, memoryTypeSchema } from '../memory/vocabulary.js';
import {
  externalIdSchema,
  instantSchema,
  pageOf,
  pageShape,
  pathIdSchema,
  queryFlagSchema,
  storableText,
  uuidSchema,
} from '../primitives.js';

export const MAX_MESSAGES_PER_POST = 500;
/** Maximum length of one message, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 100_000;

/** What the text of a conversation is, which decides how its summary is worded (docs/reference/summaries.md#kinds). */
export const CONVERSATION_KINDS = ['conversation', 'journal', 'document'] as const;
export const conversationKindSchema = z.enum(CONVERSATION_KINDS);
export type ConversationKind = z.infer<typeof conversationKindSchema>;

export const messageRoleSchema = z.enum(['user', 'assistant', 'system', 'tool']);
export type MessageRole = z.infer<typeof messageRoleSchema>;

export const messageInputSchema = z
  .strictObject({
    id: externalIdSchema
      .optional()
      .describe('Your id of the message. A message that is sent again with the same id is skipped as a duplicate.'),
    role: messageRoleSchema,
    actor_id: externalIdSchema
      .optional()
      .describe(
        'The speaker, when several people share a role: a name or an id. The user speaks without one, or as `user_id`.',
      ),
    content: storableText(1, MAX_MESSAGE_LENGTH),
    created_at: instantSchema.optional().describe('When the message was sent; by default the time of arrival.'),
  })
  .describe(
    'One message. Memories are extracted from `user` messages only; `assistant` messages are context, and the work that agents report in them becomes procedures.',
  );
export type MessageInput = z.infer<typeof messageInputSchema>;

/** Where a conversation belongs (docs/reference/memory-model.md#scope-fields-and-source-filters). */
export const scopeShape = {
  user_id: pathIdSchema.describe('The user whose memory this is.'),
  thread_id: pathIdSchema
    .optional()
    .describe('Continues the conversation of this thread; without it, a new one is started.'),
  agent_id: externalIdSchema.optional(),
  run_id: externalIdSchema.optional(),
  app_id: externalIdSchema.optional(),
};

export const postConversationSchema = z.strictObject({
  ...scopeShape,
  messages: z.array(messageInputSchema).min(1).max(MAX_MESSAGES_PER_POST),
  kind: conversationKindSchema
    .optional()
    .describe(
      'What the text is, for its summary; `conversation` unless a post says otherwise. The last one that was given counts.',
    ),
  end: z.boolean().default(false).describe('End the conversation after these messages.'),
  flush: z.boolean().default(false).describe('Extract now instead of waiting for more messages to join the batch.'),
  priority: batchPrioritySchema
    .default('interactive')
    .describe('`bulk` yields to `interactive` work for a few minutes at most: for imports and backfills.'),
});
export type PostConversation = z.infer<typeof postConversationSchema>;

export const postConversationQuerySchema = z.strictObject({
  dry_run: queryFlagSchema
    .default(false)
    .describe(
      'Say what would be remembered and what it costs, and store nothing. A model that is asked for it is charged.',
    ),
});

/** What would become of a statement (docs/reference/moving.md#dry-run-of-a-conversation). */
export const TRIED_OUTCOMES = ['insert', 'update', 'supersede', 'duplicate', 'refused'] as const;

export const triedMemorySchema = z.object({
  outcome: z
    .enum(TRIED_OUTCOMES)
    .describe(
      '`update` and `duplicate`: a memory says the same. `supersede`: memories end that contradict it. `refused`: it would be quarantined, or was deleted before.',
    ),
  content: z.string(),
  category: categorySchema,
  type: memoryTypeSchema,
  importance: z.number().int(),
  confidence: z.number(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  evidence: z
    .array(z.object({ message: z.number().int(), quote: z.string() }))
    .describe('The words that it rests on, and the place of their message in the request.'),
  reason: z.string().nullable().describe('Why it would be refused.'),
  memory_id: uuidSchema.nullable().describe('The stored memory that says the same.'),
  supersedes: z.array(uuidSchema).describe('The stored memories that would end.'),
});
export type TriedMemory = z.infer<typeof triedMemorySchema>;

export const conversationTrialSchema = z.object({
  memories: z
    .array(triedMemorySchema)
    .describe('A key without `query` or `admin`, or that is bound to an agent, is answered as if nothing was stored.'),
  rejected: z.number().int().describe('Statements that would not be stored, since they violate writing constraints.'),
  cost: z
    .object({
      micro_usd: z.number().int(),
      tokens: z.object({ input: z.number().int(), output: z.number().int() }),
      provider: z.string().nullable(),
      model: z.string().nullable(),
    })
    .describe(
      'What this dry run has cost. Posting the messages costs about the same, and the vectors of new memories.',
    ),
});
export type ConversationTrial = z.infer<typeof conversationTrialSchema>;

export const conversationAcceptedSchema = z.object({
  conversation_id: uuidSchema.describe('In a dry run without the conversation: an id that nothing has.'),
  thread_id: z.string(),
  batch_ids: z.array(uuidSchema).describe('The batches that contain these messages; empty when all are duplicates.'),
  accepted: z.number().int().describe('New messages that this request stored.'),
  duplicates: z.number().int().describe('Messages that were already stored.'),
  redactions: z.record(z.string(), z.number().int()).describe('How many values of each kind were redacted.'),
  status_url: z.string().optional().describe('The URL of the first batch’s state.'),
  dry_run: conversationTrialSchema.optional().describe('Only of a dry run, which has stored nothing.'),
});
export type ConversationAccepted = z.infer<typeof conversationAcceptedSchema>;

export const storedMessageSchema = z.object({
  id: uuidSchema,
  external_id: z.string().nullable(),
  seq: z.number().int(),
  role: messageRoleSchema,
  actor_id: z.string().nullable(),
  content: z.string().describe('As stored: redacted.'),
  created_at: z.string(),
  batch_id: uuidSchema,
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

export const listConversationsQuerySchema = z.strictObject({ user_id: externalIdSchema, ...pageShape });
export type ListConversationsQuery = z.infer<typeof listConversationsQuerySchema>;

export const conversationHeadSchema = z.object({
  id: uuidSchema,
  user_id: z.string(),
  thread_id: z.string(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
  app_id: z.string().nullable(),
  kind: conversationKindSchema,
  state: z.enum(['open', 'ended']),
  message_count: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  ended_at: z.string().nullable(),
});
export type ConversationHead = z.infer<typeof conversationHeadSchema>;
export const conversationPageSchema = pageOf(conversationHeadSchema);
export type ConversationPage = z.infer<typeof conversationPageSchema>;

export const conversationSchema = conversationHeadSchema.extend({
  messages: z.array(storedMessageSchema),
  next_cursor: z.string().nullable(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const conversationEndedSchema = z.object({
  conversation_id: uuidSchema,
  state: z.literal('ended'),
  ended_at: z.string(),
  batch_ids: z.array(uuidSchema).describe('Batches that were still open and are extracted now.'),
});
export type ConversationEnded = z.infer<typeof conversationEndedSchema>;
