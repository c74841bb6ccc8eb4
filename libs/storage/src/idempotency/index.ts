export {
  beginIdempotent,
  purgeIdempotencyKeys,
  storeIdempotent,
  type IdempotencyState,
  type IdempotentRequest,
} from './idempotency.js';
