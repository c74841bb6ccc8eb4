import { z } from 'zod';
import { WRITING_RULES } from '../memory/vocabulary.js';

/**
 * Every error of the API: its stable `code`, HTTP status and title. Each class of error has one code; the `detail` of a
 * response says what to do, `errors` names the invalid fields.
 */
export const PROBLEMS = {
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  validation_failed: { status: 400, title: 'The request is invalid' },
  unsupported_media_type: { status: 415, title: 'The body must be sent as JSON' },
  body_too_large: { status: 413, title: 'The body is too large' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  unauthenticated: { status: 401, title: 'A valid API key is required' },
  forbidden_scope: { status: 403, title: 'The key lacks a scope' },
  forbidden_agent: { status: 403, title: 'The agent is unknown or not allowed for this key' },
  forbidden_category: { status: 403, title: 'A category is outside the allowlist' },
  forbidden_origin: { status: 403, title: 'The host or the origin of the request is not allowed' },
  forbidden_user: { status: 403, title: 'The key is bound to another user' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed for this path' },
  message_conflict: { status: 409, title: 'A message id was already used with different content' },
  idempotency_conflict: { status: 409, title: 'The Idempotency-Key was already used for a different request' },
  idempotency_in_flight: { status: 409, title: 'A request with this Idempotency-Key is still running' },
  conversation_forgotten: { status: 410, title: 'The conversation was forgotten' },
  batch_not_failed: { status: 409, title: 'Only a failed batch can be replayed' },
  run_not_undoable: { status: 409, title: 'The run cannot be undone' },
  minds_off: { status: 409, title: 'Minds are switched off' },
  work_not_failed: { status: 409, title: 'Only failed work can be replayed' },
  memory_not_current: { status: 409, title: 'The memory is not current' },
  memory_not_deleted: { status: 409, title: 'Only a deleted memory can be restored' },
  summary_not_restorable: { status: 409, title: 'The summary cannot be restored' },
  app_not_shareable: { status: 409, title: 'The app has too many memories for one pool' },
  insight_without_ground: { status: 409, title: 'An insight cannot be restored without what it rests on' },
  version_conflict: { status: 409, title: 'The version is no longer current' },
  thread_exists: { status: 409, title: 'The thread exists already' },
  thread_of_other_user: { status: 409, title: 'The thread belongs to another user' },
  checkpoint_too_large: { status: 413, title: 'The state is too large' },
  item_too_large: { status: 413, title: 'The item is too large' },
  store_answer_too_large: { status: 422, title: 'The items are too large for one answer' },
  proposal_not_pending: { status: 409, title: 'The proposal was already decided or has expired' },
  memory_not_undoable: { status: 409, title: 'The last change of the memory cannot be undone' },
  memory_not_quarantined: { status: 409, title: 'The memory is not quarantined' },
  revision_conflict: { status: 412, title: 'The revision is no longer current' },
  ambiguous_subject: { status: 409, title: 'More than one subject fits' },
  plan_changed: { status: 409, title: 'Something else would be forgotten by now' },
  writing_refused: { status: 422, title: 'The text violates a writing constraint' },
  too_many_webhooks: { status: 409, title: 'The tenant has as many webhooks as it may' },
  public_url_missing: { status: 409, title: 'The URL of the gateway is not configured' },
  tenant_exists: { status: 409, title: 'A tenant with this name already exists' },
  budget_exceeded: { status: 402, title: 'The budget for model calls does not allow the call' },
  model_not_priced: { status: 400, title: 'No price is known for the model' },
  upstream_key_missing: { status: 401, title: 'The upstream needs a key' },
  upstream_unreachable: { status: 502, title: 'The upstream cannot be reached' },
  dry_run_failed: { status: 502, title: 'The model gave no usable answer' },
  dry_run_timeout: { status: 504, title: 'The dry run takes too long' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One invalid field: `path` in the form `body.messages[3].content`, `query.limit`, `headers.idempotency-key`. */
export const fieldErrorSchema = z.object({
  path: z.string(),
  message: z.string(),
  code: z.enum(WRITING_RULES).optional().describe('Of a `writing_refused`: the writing constraint.'),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** One of several subjects that fit what was to be forgotten. */
const candidateSchema = z.object({
  text: z.string().describe('Names this subject alone.'),
  mentions: z.number().int().describe('Memories and turns that mention it.'),
});
export type SubjectCandidate = z.infer<typeof candidateSchema>;

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  instance: z.string().optional(),
  request_id: z.string().optional(),
  errors: z.array(fieldErrorSchema).optional(),
  current_version: z
    .number()
    .int()
    .optional()
    .describe('Of a `version_conflict` or a `revision_conflict`: the current version or revision.'),
  candidates: z
    .array(candidateSchema)
    .optional()
    .describe('Of an `ambiguous_subject`: the subjects that fit. Send the `text` of the one that is meant.'),
});
export type Problem = z.infer<typeof problemSchema>;

/** Why nobody knows who the caller is. An expired key is known: `keyId` and its tenant. */
export type FailedAuthentication =
  | { readonly reason: 'missing' | 'unknown' }
  | { readonly reason: 'expired'; readonly keyId: string; readonly tenantId: string | null };

/** An expected failure, reported to the caller. Anything else that is thrown is a bug, reported as `internal`. */
export class ProblemError extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly options: {
      errors?: FieldError[];
      retryAfterSeconds?: number;
      currentVersion?: number;
      candidates?: readonly SubjectCandidate[];
      cause?: unknown;
      /** What was refused, for the event log (docs/reference/api.md#refusals-name-what-was-refused). */
      refused?: { readonly categories?: readonly string[]; readonly userId?: string };
      /** Why a caller is `unauthenticated`, for the log. */
      authentication?: FailedAuthentication;
    } = {},
  ) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProblemError';
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}
