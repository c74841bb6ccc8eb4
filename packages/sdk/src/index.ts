export { Annals } from './client.js';
export type { AnnalsOptions } from './http/options.js';
export type { ConditionalWriteOptions, RequestOptions, WriteOptions } from './http/call.js';
export type { Pages } from './paging/pages.js';
export type { StreamEvent } from './streaming/follow-events.js';
export type { Receipt, WaitOptions } from './waiting/wait-until-remembered.js';
export {
  AbortError,
  AnnalsError,
  ConnectionError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors/annals-error.js';
export {
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks/verify-webhook.js';
export { BatchFailedError } from './errors/batch-failed-error.js';
export {
  AuthenticationError,
  ConflictError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type ProblemCode,
  ProblemError,
  RateLimitedError,
  RevisionConflictError,
  ServerError,
} from './errors/problem-error.js';
export type * from './generated/types.js';
export type * from './generated/annals-api.js';
