export { createApiKey, findApiKey, listApiKeys, revokeApiKey, type KeyGrant, type NewApiKey } from './api-keys.js';
export {
  apiKeyPrefix,
  createFullAccessKey,
  ensureBootstrapKey,
  ensureOperatorKey,
  hashApiKey,
  type BootstrapKey,
  type ProvisionedKey,
} from './ensure-key.js';
