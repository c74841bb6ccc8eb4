export { AnnalsSaver, type AnnalsSaverOptions, type PruneStrategy } from './checkpoints/annals-saver.js';
export { AnnalsStore } from './store/annals-store.js';
export type {
  AnnalsStoreOptions,
  StoreIndexOptions,
  StorePutOptions,
  StoreSearchMode,
  StoreSearchOptions,
  StoreStatistics,
  StoreTtlOptions,
} from './store/options.js';
