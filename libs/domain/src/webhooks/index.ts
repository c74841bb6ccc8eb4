export {
  deriveWebhookSecret,
  formatWebhookSecret,
  type SignedMessage,
  signWebhook,
  type WebhookSecretSource,
} from './sign-webhook.js';
export { type FailedAttempt, GIVE_UP_AFTER_MS, limitRetryAfter, parseRetryAfter, planRetry } from './plan-retry.js';
export { buildWebhookBody, userOfFeed, type WebhookEvent } from './webhook-body.js';
