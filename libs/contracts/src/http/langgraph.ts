import { z } from 'zod';
import {
  cursorSchema,
  externalIdSchema,
  isPathSegment,
  NOT_A_PATH_SEGMENT,
  pageOf,
  pageShape,
  pathIdSchema,
  storableText,
} from '../primitives.js';

/** The user of a thread that names none is this and the thread's id, which leaves room for it. */
export const LANGGRAPH_USER_PREFIX = 'langgraph:';
const MAX_THREAD_ID_LENGTH = 180;
const MAX_MADE_ID_LENGTH = 200;
const MAX_NAMESPACE_LENGTH = 1_000;
const MAX_NAME_LENGTH = 500;
const MAX_WRITES = 1_000;
const MAX_CHANNELS = 1_000;
const MAX_THREADS = 100;
/** Checkpoints are large: a page has few of them, and ends early when they are together larger than this. */
export const MAX_PAGE_BYTES = 8_000_000;
const MAX_CHECKPOINTS = 100;

const shortEnough = { error: `Send a thread_id of at most ${MAX_THREAD_ID_LENGTH} characters.` };
const threadIdSchema = pathIdSchema.refine((id) => id.length <= MAX_THREAD_ID_LENGTH, shortEnough);
const namespaceSchema = storableText(0, MAX_NAMESPACE_LENGTH).describe('Empty for the graph itself.');
const nameSchema = storableText(1, MAX_NAME_LENGTH);
// LangGraph makes the ids of checkpoints and tasks, and orders by the former: unlike the caller's own identifiers they are
// not replaced or refused when they look like personal data.
const madeIdSchema = storableText(1, MAX_MADE_ID_LENGTH);
const madePathIdSchema = madeIdSchema.refine(isPathSegment, NOT_A_PATH_SEGMENT);

export const langGraphThreadParams = z.strictObject({ thread_id: threadIdSchema });
export const langGraphCheckpointParams = z.strictObject({ thread_id: threadIdSchema, checkpoint_id: madePathIdSchema });
export const langGraphTaskParams = langGraphCheckpointParams.extend({ task_id: madePathIdSchema });

export const langGraphNamespaceQuerySchema = z.strictObject({ checkpoint_ns: namespaceSchema.default('') });

const userSchema = pathIdSchema
  .optional()
  .describe(
    `The user of the thread. A thread that has named none belongs to a user of its own, \`${LANGGRAPH_USER_PREFIX}\` and its id, until a request of a key that is bound to no user names one.`,
  );

const deltaSchema = z.strictObject({
  base: storableText(1, 200).describe(
    '`version` of the state that the delta is based on, the last one of the namespace.',
  ),
  data: z.base64().describe('The delta, made by `@annals/state-delta`, in base64.'),
});

const checkpointShape = {
  parent_id: madeIdSchema.nullish().describe('The checkpoint before this one.'),
  metadata: z.record(z.string(), z.unknown()).describe('For filters. Characters that jsonb cannot hold are left out.'),
  replayed_channels: z
    .array(nameSchema)
    .max(MAX_CHANNELS)
    .optional()
    .describe('Channels that the state has no value of, since it is made from the writes of ancestors.'),
};

export const putLangGraphCheckpointSchema = z
  .strictObject({
    user_id: userSchema,
    ...checkpointShape,
    state: z
      .string()
      .refine((text) => text.isWellFormed(), { error: 'Send a text without lone surrogates.' })
      .optional()
      .describe('The checkpoint as text in a form of the caller, stored unchanged.'),
    delta: deltaSchema.optional().describe('Instead of `state`: how it differs from the last one.'),
  })
  .refine(({ state, delta }) => (state === undefined) !== (delta === undefined), {
    error: 'Send either state or delta.',
    path: ['state'],
  });

/** How the next state can be sent. */
const versionShape = {
  version: z.string().describe('Names the state as the base of a delta.'),
  takes_delta: z.boolean().describe('Whether the next state can be sent as a delta; if not, send it whole.'),
};

export const langGraphCheckpointSavedSchema = z.object(versionShape);
export type LangGraphCheckpointSaved = z.infer<typeof langGraphCheckpointSavedSchema>;

const writeShape = {
  idx: z
    .number()
    .int()
    .min(-1_000)
    .max(1_000_000)
    .describe('Negative: replaces an earlier one. Others are kept as first sent.'),
  channel: nameSchema,
  type: nameSchema.describe('The form of the value, as the serializer calls it.'),
  value: z.string().refine((text) => text.isWellFormed(), { error: 'Send a text without lone surrogates.' }),
};

const taskWritesShape = {
  task_path: storableText(0, MAX_NAMESPACE_LENGTH)
    .default('')
    .describe('Orders the writes before the id of their task.'),
  writes: z.array(z.strictObject(writeShape)).max(MAX_WRITES),
};

export const putLangGraphWritesSchema = z.strictObject({ user_id: userSchema, ...taskWritesShape });

export const langGraphWritesSavedSchema = z.object({ writes: z.number().int().describe('How many were sent.') });

export const langGraphWriteSchema = z.object({ task_id: z.string(), task_path: z.string(), ...writeShape });
export type LangGraphWrite = z.infer<typeof langGraphWriteSchema>;

const MAX_SAVED_AT_ONCE = 100;
const placeShape = {
  user_id: pathIdSchema.optional().describe('Not saved when the thread belongs to another user.'),
  thread_id: threadIdSchema,
  checkpoint_ns: namespaceSchema.default(''),
  checkpoint_id: madePathIdSchema,
};

/** Several checkpoints as deltas and writes of tasks, of threads that exist. */
export const saveLangGraphBatchSchema = z.strictObject({
  checkpoints: z
    .array(z.strictObject({ ...placeShape, ...checkpointShape, delta: deltaSchema }))
    .max(MAX_SAVED_AT_ONCE)
    .default([]),
  writes: z
    .array(z.strictObject({ ...placeShape, task_id: madePathIdSchema, ...taskWritesShape }))
    .max(MAX_SAVED_AT_ONCE)
    .default([]),
});

export const langGraphBatchSavedSchema = z.object({
  checkpoints: z
    .array(langGraphCheckpointSavedSchema.nullable())
    .describe('In the order of the request. Null: not saved, send the state whole by the route of the checkpoint.'),
  writes: z
    .array(z.boolean())
    .describe('False: not saved, since the thread has no such namespace yet; send them by the route of the task.'),
});
export type LangGraphBatchSaved = z.infer<typeof langGraphBatchSavedSchema>;

export const langGraphCheckpointSchema = z.object({
  thread_id: z.string(),
  checkpoint_ns: z.string(),
  checkpoint_id: z.string(),
  parent_id: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  saved_at: z.string(),
  ...versionShape,
  state: z.string(),
  writes: z.array(langGraphWriteSchema).describe('In the order of task_path, task_id and idx.'),
});
export type LangGraphCheckpoint = z.infer<typeof langGraphCheckpointSchema>;

export const getLangGraphCheckpointQuerySchema = langGraphNamespaceQuerySchema.extend({
  checkpoint_id: madeIdSchema.optional().describe('By default the one with the greatest id.'),
});

export const searchLangGraphCheckpointsSchema = z.strictObject({
  user_id: userSchema,
  thread_id: threadIdSchema.optional(),
  checkpoint_ns: namespaceSchema.optional(),
  checkpoint_id: madeIdSchema.optional(),
  before: madeIdSchema.optional().describe('Only checkpoints with a smaller id.'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Only checkpoints whose metadata has all of this.'),
  limit: z.number().int().min(1).max(MAX_CHECKPOINTS).default(10),
  cursor: cursorSchema.optional(),
});

export const langGraphCheckpointPageSchema = pageOf(langGraphCheckpointSchema);
export type LangGraphCheckpointPage = z.infer<typeof langGraphCheckpointPageSchema>;

export const readLangGraphHistorySchema = z.strictObject({
  checkpoint_ns: namespaceSchema.default(''),
  checkpoint_id: madeIdSchema.describe('Its ancestors are read, not it.'),
  channels: z.array(nameSchema).min(1).max(MAX_CHANNELS),
  limit: z.number().int().min(1).max(MAX_CHECKPOINTS).default(MAX_CHECKPOINTS),
});

export const langGraphAncestorSchema = z.object({
  checkpoint_id: z.string(),
  parent_id: z.string().nullable(),
  state: z.string().nullable().describe('Null when it is known to have a value of none of the channels.'),
  writes: z.array(langGraphWriteSchema).describe('Those to the channels.'),
});

export const langGraphHistorySchema = z.object({
  items: z.array(langGraphAncestorSchema).describe('The nearest first.'),
});
export type LangGraphHistory = z.infer<typeof langGraphHistorySchema>;

export const listLangGraphThreadsQuerySchema = z.strictObject({ user_id: externalIdSchema.optional(), ...pageShape });

export const langGraphThreadSchema = z.object({
  thread_id: z.string(),
  user_id: z.string(),
  checkpoints: z.number().int(),
  stored_bytes: z.number().int().describe('Of its states, as they are stored.'),
  created_at: z.string(),
  updated_at: z.string(),
});
export type LangGraphThread = z.infer<typeof langGraphThreadSchema>;
export const langGraphThreadPageSchema = pageOf(langGraphThreadSchema);
export type LangGraphThreadPage = z.infer<typeof langGraphThreadPageSchema>;

export const copyLangGraphThreadSchema = z.strictObject({
  thread_id: threadIdSchema.describe('The new thread, which has no checkpoint yet.'),
});

export const langGraphThreadCountsSchema = z.object({
  checkpoints: z.number().int(),
  writes: z.number().int(),
});
export type LangGraphThreadCounts = z.infer<typeof langGraphThreadCountsSchema>;

export const PRUNE_STRATEGIES = ['keep_latest', 'delete'] as const;

export const pruneLangGraphThreadsSchema = z.strictObject({
  user_id: userSchema,
  thread_ids: z.array(threadIdSchema).max(MAX_THREADS),
  strategy: z
    .enum(PRUNE_STRATEGIES)
    .default('keep_latest')
    .describe(
      '`keep_latest` keeps the last checkpoint of each namespace, and the ancestors that a replayed channel of it needs; `delete` keeps nothing.',
    ),
});
