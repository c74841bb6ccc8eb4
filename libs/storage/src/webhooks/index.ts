export {
  listWebhookDeliveries,
  purgeWebhookDeliveries,
  readWebhookStanding,
  replayWebhook,
  userOfLane,
  type WebhookStanding,
} from './deliveries.js';
export {
  advanceLane,
  type AttemptOutcome,
  type LaneHold,
  leaseWebhookLanes,
  type NextDelivery,
  releaseLane,
} from './lanes.js';
export { listWebhooks, readWebhook } from './webhook-view.js';
export {
  deleteWebhook,
  findWebhookKey,
  putWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookSalt,
} from './webhooks.js';
