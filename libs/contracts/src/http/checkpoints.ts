import { z } from 'zod';
import { externalIdSchema, pageOf, pathIdSchema } from '../primitives.js';

export const checkpointParams = z.strictObject({ user_id: externalIdSchema, thread_id: externalIdSchema });

/** Of a write: a checkpoint under another name could not be read. */
export const putCheckpointParams = z.strictObject({ user_id: pathIdSchema, thread_id: pathIdSchema });

/** A version's number fits PostgreSQL's integer. */
const MAX_VERSION = 2_147_483_647;

const versionSchema = z.number().int().min(0).max(MAX_VERSION);

export const putCheckpointSchema = z.strictObject({
  version: versionSchema
    .optional()
    .describe(
      'The version that this state is based on; 0: there is none yet. If another one is current: 409 with its number. The ' +
        'header `If-Match: "3"` has the same effect. Without either, the state is saved unconditionally.',
    ),
  data: z
    .unknown()
    .refine((data) => data !== undefined, { error: 'Send the state, any JSON value, as data.' })
    .describe(
      'Any JSON value, stored unchanged and not redacted: it is the caller’s own state. It is returned with the same ' +
        'digits and characters.',
    ),
});

export const getCheckpointQuerySchema = z.strictObject({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_VERSION)
    .optional()
    .describe('An earlier version that is still retained; by default the newest.'),
});

export const checkpointInfoSchema = z.object({
  user_id: z.string(),
  thread_id: z.string(),
  version: z.number().int(),
  oldest_version: z.number().int().describe('The oldest version that can still be read.'),
  bytes: z.number().int().describe('Length of the state as JSON in UTF-8.'),
  created_at: z.string(),
  updated_at: z.string(),
});
export type CheckpointInfo = z.infer<typeof checkpointInfoSchema>;

export const checkpointSchema = checkpointInfoSchema.extend({
  saved_at: z.string().describe('When this version was saved.'),
  data: z.unknown(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const checkpointPageSchema = pageOf(checkpointInfoSchema);
export type CheckpointPage = z.infer<typeof checkpointPageSchema>;

export const checkpointDeletedSchema = z.object({
  version: z.number().int().describe('The version that was deleted; the next version continues its numbering.'),
  versions: z.number().int().describe('How many versions were readable before.'),
});
export type CheckpointDeleted = z.infer<typeof checkpointDeletedSchema>;
