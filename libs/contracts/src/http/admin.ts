import { z } from 'zod';
import {
  externalIdSchema,
  instantSchema,
  pageOf,
  pageShape,
  pathIdSchema,
  storableText,
  uuidSchema,
} from '../primitives.js';
import { categorySchema } from '../memory/vocabulary.js';

/** Scopes of a tenant's key; `operator` belongs to no tenant (docs/reference/api.md#key-scopes). */
export const KEY_SCOPES = ['ingest', 'query', 'admin'] as const;
export const keyScopeSchema = z.enum(KEY_SCOPES);
export type KeyScope = z.infer<typeof keyScopeSchema>;
export type Scope = KeyScope | 'operator';

export const createKeySchema = z.strictObject({
  name: storableText(1, 100),
  scopes: z.array(keyScopeSchema).min(1),
  agent_id: externalIdSchema.optional().describe('Bind the key to one agent.'),
  user_id: pathIdSchema.optional().describe('Bind the key to one user.'),
  categories: z.array(categorySchema).min(1).max(50).optional().describe('Bind the key to these categories.'),
  expires_at: instantSchema.optional(),
});
export type CreateKey = z.infer<typeof createKeySchema>;

export const apiKeySchema = z.object({
  id: uuidSchema,
  name: z.string(),
  prefix: z.string().describe('The first characters of the key, to identify it.'),
  scopes: z.array(z.string()),
  agent_id: z.string().nullable(),
  user_id: z.string().nullable(),
  categories: z.array(z.string()).nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeyCreatedSchema = apiKeySchema.extend({
  key: z.string().optional().describe('Shown only once: a response that is replayed for an Idempotency-Key omits it.'),
});
export type ApiKeyCreated = z.infer<typeof apiKeyCreatedSchema>;
export const apiKeyPageSchema = pageOf(apiKeySchema);
export type ApiKeyPage = z.infer<typeof apiKeyPageSchema>;

export const pageQuerySchema = z.strictObject(pageShape);

export const createTenantSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
    error: 'Use 1–63 lower-case letters, digits and hyphens, beginning with a letter or digit.',
  }),
});

export const tenantSchema = z.object({ id: uuidSchema, name: z.string(), created_at: z.string() });
export type Tenant = z.infer<typeof tenantSchema>;
export const tenantPageSchema = pageOf(tenantSchema);
export type TenantPage = z.infer<typeof tenantPageSchema>;
export const tenantCreatedSchema = tenantSchema.extend({
  key: z
    .string()
    .optional()
    .describe(
      'The first key of the tenant, with the scopes ingest, query and admin. Shown only once: a response that is replayed for an Idempotency-Key omits it.',
    ),
});
export type TenantCreated = z.infer<typeof tenantCreatedSchema>;
export const createTenantKeySchema = z.strictObject({ name: storableText(1, 100) });

export const tenantDeletedSchema = z.object({
  id: uuidSchema,
  deleted: z.record(z.string(), z.number().int()).describe('Rows deleted, by table.'),
});
export type TenantDeleted = z.infer<typeof tenantDeletedSchema>;
