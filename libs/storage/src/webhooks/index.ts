export {
  listWebhookDeliveries,
  purgeWebhookDeliveries,
  readWebhookStanding,
  replayWebhook,
  userOfFeed,
  type WebhookStanding,
} from './deliveries.js';
export {
  advanceFeed,
  type AttemptOutcome,
  type FeedHold,
  leaseWebhookFeeds,
  type NextDelivery,
  releaseFeed,
} from './feeds.js';
export { listWebhooks, readWebhook } from './webhook-view.js';
export {
  deleteWebhook,
  findWebhookKey,
  putWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookSalt,
} from './webhooks.js';
