export { PERSISTENCE_FRAGMENTS, PersistenceModule, type PersistenceOptions } from './persistence/persistence.module.js';
