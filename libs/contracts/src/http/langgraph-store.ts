import { z } from 'zod';
import { pathIdSchema, storableText } from '../primitives.js';
import { findUnstorableJson } from './storable-json.js';

/** The user of items that name none. */
export const LANGGRAPH_STORE_USER = 'langgraph-store';

export const MAX_STORE_OPERATIONS = 200;
/** Of a namespace and of a key, in UTF-8: together with a user they fit one entry of an index. */
const MAX_PLACE_BYTES = 800;
const MAX_LABELS = 20;
const MAX_LABEL_LENGTH = 200;
const MAX_KEY_LENGTH = 500;
const MAX_QUERY_LENGTH = 4_000;
const MAX_INDEXED_PATHS = 50;
const MAX_PATH_LENGTH = 500;
const MAX_MATCHES = 20;
const MAX_FOUND = 1_000;
const MAX_OFFSET = 100_000;
/** A hundred years. */
const MAX_TTL_MINUTES = 52_560_000;

/** A JSON object that can be stored; what cannot be is named by its path. */
const storableObject = () =>
  z.record(z.string(), z.unknown()).superRefine((value, context) => {
    const found = findUnstorableJson(value);
    if (found) context.addIssue({ code: 'custom', path: [...found.path], message: found.message });
  });

const encoder = new TextEncoder();
const isShort = (text: string) => encoder.encode(text).length <= MAX_PLACE_BYTES;
const tooLong = { error: `Send at most ${MAX_PLACE_BYTES} bytes in UTF-8.` };

const labelSchema = storableText(0, MAX_LABEL_LENGTH)
  .refine((label) => label !== '', { error: 'Namespace labels cannot be empty strings.' })
  .refine((label) => !label.includes('.'), { error: "Namespace labels cannot contain periods ('.')." })
  .refine((label) => !label.includes(':'), { error: "Namespace labels cannot contain colons (':')." });

const prefixSchema = z
  .array(labelSchema)
  .max(MAX_LABELS)
  .refine((labels) => isShort(labels.join('.')), tooLong);

const namespaceSchema = prefixSchema
  .refine((labels) => labels.length > 0, { error: 'Namespace cannot be empty.' })
  .refine(([root]) => root !== 'langgraph', { error: 'Root label for namespace cannot be "langgraph".' });

const keySchema = storableText(1, MAX_KEY_LENGTH).refine(isShort, tooLong);

const refreshSchema = z
  .boolean()
  .default(false)
  .describe('Items that are returned live on as long as when they were stored. Those without `ttl_minutes` do anyway.');

const getItemSchema = z.strictObject({
  op: z.literal('get'),
  namespace: prefixSchema,
  key: keySchema,
  refresh_ttl: refreshSchema,
});

const putItemSchema = z.strictObject({
  op: z.literal('put'),
  namespace: namespaceSchema,
  key: keySchema,
  value: storableObject().describe('A JSON object, stored unchanged and not redacted: it is the caller’s own.'),
  index: z
    .union([z.literal(false), z.array(storableText(1, MAX_PATH_LENGTH)).max(MAX_INDEXED_PATHS)])
    .default(false)
    .describe(
      'Paths of the texts that are found by meaning, such as `title`, `chapters[*].content`, `authors[0].name`, or `$` for ' +
        'the whole value. `false`: none; the item is found by words all the same.',
    ),
  ttl_minutes: z
    .number()
    .positive()
    .max(MAX_TTL_MINUTES)
    .optional()
    .describe('Minutes until the item expires. Omitted: it never does.'),
});

const deleteItemSchema = z.strictObject({ op: z.literal('delete'), namespace: prefixSchema, key: keySchema });

export const STORE_SEARCH_MODES = ['text', 'vector', 'hybrid'] as const;

const searchItemsSchema = z.strictObject({
  op: z.literal('search'),
  namespace_prefix: prefixSchema.describe('Labels with which the namespace begins; none for every namespace.'),
  filter: storableObject()
    .optional()
    .describe(
      'What fields of the value hold: a JSON value that is equal, or an object of operators (`$eq`, `$ne`, `$gt`, `$gte`, ' +
        '`$lt`, `$lte`, `$in`, `$nin`, `$exists`), or an object with the same for fields below.',
    ),
  query: storableText(1, MAX_QUERY_LENGTH)
    .optional()
    .describe('What to search for. Omitted: the newest items are first.'),
  mode: z
    .enum(STORE_SEARCH_MODES)
    .default('hybrid')
    .describe('By words, by meaning (only items that were stored with `index`), or by both.'),
  similarity_threshold: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe('The least cosine of an item that fits by meaning.'),
  vector_weight: z.number().min(0).max(1).default(0.7).describe('Of the meaning in `hybrid`; the words have the rest.'),
  limit: z.number().int().min(1).max(MAX_FOUND).default(10),
  offset: z.number().int().min(0).max(MAX_OFFSET).default(0),
  refresh_ttl: refreshSchema,
});

const matchSchema = z.strictObject({
  match_type: z.enum(['prefix', 'suffix']),
  path: prefixSchema.describe('Labels; `*` stands for any.'),
});

const listNamespacesSchema = z.strictObject({
  op: z.literal('list_namespaces'),
  match_conditions: z.array(matchSchema).max(MAX_MATCHES).default([]),
  max_depth: z.number().int().min(1).max(MAX_LABELS).optional().describe('How many labels of each are returned.'),
  limit: z.number().int().min(1).max(MAX_FOUND).default(100),
  offset: z.number().int().min(0).max(MAX_OFFSET).default(0),
});

const statisticsSchema = z.strictObject({ op: z.literal('statistics') });

const OPERATIONS = [
  getItemSchema,
  putItemSchema,
  deleteItemSchema,
  searchItemsSchema,
  listNamespacesSchema,
  statisticsSchema,
] as const;

const operationSchema = z.discriminatedUnion('op', OPERATIONS, {
  error: `Send an object whose op is one of: ${OPERATIONS.map(({ shape }) => shape.op.value).join(', ')}.`,
});

export const langGraphStoreBatchSchema = z.strictObject({
  user_id: pathIdSchema
    .optional()
    .describe(`The user whose items these are. Items that name none belong to the user \`${LANGGRAPH_STORE_USER}\`.`),
  operations: z
    .array(operationSchema)
    .min(1)
    .max(MAX_STORE_OPERATIONS)
    .describe('In one transaction; each sees what those before it have written.'),
});
export type LangGraphStoreBatch = z.output<typeof langGraphStoreBatchSchema>;
export type LangGraphStoreOperation = LangGraphStoreBatch['operations'][number];

const storeItemSchema = z.object({
  namespace: z.array(z.string()),
  key: z.string(),
  value: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
});

const foundItemSchema = storeItemSchema.extend({
  score: z.number().nullable().describe('How well it fits the query; null without one.'),
});

const resultSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('get'), item: storeItemSchema.nullable() }),
  z.object({ op: z.literal('put') }),
  z.object({ op: z.literal('delete') }),
  z.object({ op: z.literal('search'), items: z.array(foundItemSchema) }),
  z.object({ op: z.literal('list_namespaces'), namespaces: z.array(z.array(z.string())) }),
  z.object({
    op: z.literal('statistics'),
    items: z.number().int(),
    expired: z
      .number()
      .int()
      .describe('Items that have expired and wait for their deletion; nothing else counts them.'),
    namespaces: z.number().int(),
    oldest: z.string().nullable().describe('When the oldest item was stored first.'),
    newest: z.string().nullable(),
  }),
]);

export const langGraphStoreResultsSchema = z.object({
  results: z.array(resultSchema).describe('One for each operation, in their order.'),
  degraded: z
    .boolean()
    .describe(
      'No vectors could be made: items that were put are found by words only, and searches were answered by words.',
    ),
});
export type LangGraphStoreResults = z.infer<typeof langGraphStoreResultsSchema>;
export type LangGraphStoreResult = LangGraphStoreResults['results'][number];
