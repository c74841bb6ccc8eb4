export { createApiKey, findApiKey, listApiKeys, revokeApiKey, type KeyGrant, type NewApiKey } from './api-keys.js';
export {
  apiKeyPrefix,
  createFullKey,
  ensureBootstrapKey,
  ensureOperatorKey,
  hashApiKey,
  type BootstrapKey,
  type GivenKey,
} from './ensure-key.js';
