export { FILTER_OPERATORS, type FilterOperator, type ItemCondition } from './item-filter.js';
export type { ItemPlace } from './item-place.js';
export type { FoundItem, ReadItems, ReadScope, StoredItem } from './item-rows.js';
export {
  addItemVectors,
  findItemsWithoutVector,
  ITEM_TEXTS_START,
  type ItemTextPosition,
  type ItemWithoutVector,
  type LateItemVector,
  loadTextsWithoutVector,
  requestAbsentItemVectors,
  requestItemVectors,
  type TextsWithoutVector,
  type TextWithoutVector,
} from './late-item-vectors.js';
export { listNamespaces, type NamespaceList, type NamespaceMatch } from './list-namespaces.js';
export { readItems, readStoreStatistics, type StoreStatistics } from './read-items.js';
export { type ItemRanking, type ItemSearch, searchItems, type VectorQuery } from './search-items.js';
export {
  deleteItems,
  type IndexedText,
  lockItems,
  type NewItem,
  purgeExpiredItems,
  putItems,
  refreshItems,
  type WriteScope,
} from './write-items.js';
