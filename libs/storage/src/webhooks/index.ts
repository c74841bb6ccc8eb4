export {
  listWebhookDeliveries,
  purgeWebhookDeliveries,
  readWebhookStanding,
  replayWebhook,
  type WebhookStanding,
} from './deliveries.js';
export {
  advanceFeed,
  type Advanced,
  type FeedHold,
  leaseWebhookFeeds,
  type NextDelivery,
  releaseFeed,
} from './feeds.js';
export type { AttemptOutcome } from './record-attempt.js';
export { listWebhooks, readWebhook } from './webhook-view.js';
export {
  deleteWebhook,
  findWebhookKey,
  listValidSecrets,
  putWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookSalt,
} from './webhooks.js';
