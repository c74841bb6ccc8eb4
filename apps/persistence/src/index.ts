export { PERSISTENCE_FRAGMENTS } from './persistence/persistence.config.js';
export { PersistenceModule, type PersistenceOptions } from './persistence/persistence.module.js';
