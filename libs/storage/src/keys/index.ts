export { createApiKey, findApiKey, listApiKeys, revokeApiKey, type KeyGrant, type NewApiKey } from './api-keys.js';
export { apiKeyPrefix, ensureBootstrapKey, ensureOperatorKey, hashApiKey, type GivenKey } from './ensure-key.js';
