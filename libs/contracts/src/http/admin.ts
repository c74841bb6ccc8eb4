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

/** The caller's own key. */
export const ownKeySchema = apiKeySchema
  .pick({ id: true, scopes: true, agent_id: true, user_id: true, categories: true, expires_at: true })
  .extend({
    tenant: z
      .object({ id: uuidSchema, name: z.string() })
      .nullable()
      .describe('The tenant of the key; null for a key of an operator.'),
  });
export type OwnKey = z.infer<typeof ownKeySchema>;

export const pageQuerySchema = z.strictObject(pageShape);

/** What happens to an id with personal data (docs/reference/privacy.md#ids-that-carry-personal-data). */
export const PERSONAL_ID_POLICIES = ['keep', 'hash', 'refuse'] as const;
export type PersonalIdPolicy = (typeof PERSONAL_ID_POLICIES)[number];

/** What happens to a manual memory that violates a writing constraint (docs/reference/writing-constraints.md#memories-written-by-hand). */
export const WRITING_CHECKS = ['off', 'warn', 'refuse'] as const;
export type WritingChecks = (typeof WRITING_CHECKS)[number];

const countrySchema = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Use two capital letters (ISO 3166), for example DE.' })
  .nullable()
  .describe('Country that telephone numbers without a country code belong to; null: as configured.');
const personalIdsSchema = z
  .enum(PERSONAL_ID_POLICIES)
  .nullable()
  .describe(
    'Ids that contain personal data, such as an e-mail address as `user_id`: `keep` stores them as sent, `hash` stores a pseudonym, `refuse` rejects the request; null: as configured.',
  );
const writingChecksSchema = z
  .enum(WRITING_CHECKS)
  .nullable()
  .describe(
    'Memories written by hand that violate a writing constraint: `off` does not check them, `warn` stores them as sent and names the violations in `warnings`, `refuse` rejects the request; null: as configured.',
  );

export const createTenantSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
    error: 'Use 1–63 lower-case letters, digits and hyphens, beginning with a letter or digit.',
  }),
  default_country: countrySchema.optional(),
  personal_ids: personalIdsSchema.optional(),
  writing_checks: writingChecksSchema.optional(),
});

export const patchTenantSchema = z
  .strictObject({
    default_country: countrySchema.optional(),
    personal_ids: personalIdsSchema.optional(),
    writing_checks: writingChecksSchema.optional(),
    renew_pseudonyms: z
      .literal(true)
      .optional()
      .describe(
        'From now on, every value gets another placeholder than before, and every hashed id another hash; what is stored keeps its own and can no longer be found by the value. For a key that was lost or disclosed.',
      ),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    error: 'Name at least one of default_country, personal_ids, writing_checks, renew_pseudonyms.',
  });
export type PatchTenant = z.infer<typeof patchTenantSchema>;

export const tenantSchema = z.object({
  id: uuidSchema,
  name: z.string(),
  created_at: z.string(),
  default_country: countrySchema,
  personal_ids: personalIdsSchema,
  writing_checks: writingChecksSchema,
});
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
