import { z } from 'zod';
import { uuidSchema } from '../primitives.js';

/** Of a link, in seconds. */
export const DEFAULT_LINK_SECONDS = 900;
const MIN_LINK_SECONDS = 60;
const MAX_LINK_SECONDS = 86_400;

export const createPersonLinkSchema = z.strictObject({
  expires_in_seconds: z
    .number()
    .int()
    .min(MIN_LINK_SECONDS)
    .max(MAX_LINK_SECONDS)
    .default(DEFAULT_LINK_SECONDS)
    .describe('How long the link can be opened. What is opened with it ends an hour later.'),
});
export type CreatePersonLink = z.infer<typeof createPersonLinkSchema>;

export const personLinkSchema = z.object({
  id: uuidSchema.describe('Of the link, as `GET /v1/admin/keys` lists it.'),
  expires_at: z.string(),
  url: z
    .string()
    .optional()
    .describe(
      'The link, which opens once, on one device. Give it to the person alone. Shown only once: a response that is replayed for an Idempotency-Key omits it.',
    ),
});
export type PersonLink = z.infer<typeof personLinkSchema>;

export const personLinksRevokedSchema = z.object({
  revoked: z.number().int().min(0).describe('Links that could still be opened, and pages that were open.'),
});
export type PersonLinksRevoked = z.infer<typeof personLinksRevokedSchema>;
