import { z } from 'zod';
import { externalIdSchema, pageShape, uuidSchema } from '../primitives.js';

/** Version of the export format. Raised when the lines change their shape. */
export const EXPORT_SCHEMA_VERSION = 1;

const countsSchema = z.record(z.string(), z.number().int());
const chainSchema = z.object({ seq: z.number().int(), head: z.string() });

/** The first line: describes the lines that follow. */
export const exportManifestSchema = z.object({
  kind: z.literal('manifest'),
  schema_version: z.number().int(),
  user_id: z.string(),
  exported_at: z.string(),
  chain: chainSchema.describe('The head of the audit chain when the export began.'),
  sections: z.array(z.string()).describe('Kinds of lines, in their order.'),
  left_out: z.record(z.string(), z.string()).describe('What the export does not contain, and why.'),
});
export type ExportManifest = z.infer<typeof exportManifestSchema>;

/** One row. `data` has the columns of its table. */
export const exportLineSchema = z.object({ kind: z.string(), data: z.record(z.string(), z.unknown()) });
export type ExportLine = z.infer<typeof exportLineSchema>;

/** The last line. An export without it was cut off. */
export const exportEndSchema = z.object({
  kind: z.literal('end'),
  counts: countsSchema.describe('Lines of each kind.'),
  chain: chainSchema.describe('The head of the audit chain when the export ended.'),
  unchanged: z
    .boolean()
    .describe('No memory was written during the export. Otherwise lines may show different moments.'),
  finished_at: z.string(),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;

export const exportItemSchema = z.union([exportManifestSchema, exportLineSchema, exportEndSchema]);
export type ExportItem = z.infer<typeof exportItemSchema>;

/** What became of the files of an erased user (docs/reference/vault.md#erasure). */
export const vaultRemovalSchema = z.object({
  state: z.enum(['pending', 'removed']),
  requested_at: z.string(),
  removed_at: z.string().nullable(),
  files: z.number().int().nullable().describe('Files that were removed.'),
  commits: z.number().int().nullable().describe('Commits that were removed with the Git history.'),
  signature: z
    .string()
    .nullable()
    .describe(
      'Hex HMAC-SHA-256 over the id of the receipt, its tenant, `requested_at`, `removed_at`, `files` and `commits`, under a key that only the installation has.',
    ),
});
export type VaultRemovalReceipt = z.infer<typeof vaultRemovalSchema>;

/** Proof of an erasure: `annals verify --receipt <file>` accepts it while the installation has the same secret key. */
export const erasureReceiptSchema = z.object({
  id: uuidSchema,
  tenant_id: uuidSchema,
  user_id: z
    .string()
    .describe(
      'As the erasure named them. `GET /v1/receipts/{id}` has the pseudonym of the audit history instead, since the id is erased.',
    ),
  erased_at: z.string(),
  counts: countsSchema.describe(
    'Rows that were deleted, by table; for `history` and `usage`, rows whose content was removed.',
  ),
  chain: chainSchema.describe('The link of the audit chain that records the erasure.'),
  resealed: z
    .object({ seq: z.number().int(), head_hmac: z.string() })
    .nullable()
    .default(null)
    .describe(
      'Where the audit chain ended before its rows were rewritten without the user’s id: number of that row, and HMAC of its hash under a key that only the installation has. Null when no row contained the id.',
    ),
  history_pseudonym: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'What the history of the user remains under, when it was written with another secret key than the one that signs this receipt. Null when it is the same.',
    ),
  signature: z
    .string()
    .describe(
      'Hex HMAC-SHA-256 over everything above, with a pseudonym in place of the user’s id, under a key that only the installation has.',
    ),
  vault: vaultRemovalSchema
    .nullable()
    .default(null)
    .describe(
      'The user’s files in the Markdown vault, which are removed behind the erasure; null when no vault is written. `GET /v1/receipts/{id}` says whether they are.',
    ),
});
export type ErasureReceipt = z.infer<typeof erasureReceiptSchema>;

export const conversationForgottenSchema = z.object({
  conversation_id: uuidSchema,
  counts: countsSchema.describe('Rows that were deleted, by table.'),
  memories_deleted: z
    .array(uuidSchema)
    .describe('Memories that were based on this conversation alone; they can be restored until they are purged.'),
  memories_kept: z.array(uuidSchema).describe('Memories that are also based on other sources, and lost this one.'),
});
export type ConversationForgotten = z.infer<typeof conversationForgottenSchema>;

export const quarantineQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional(),
  ...pageShape,
});
