import type { LangGraphStoreBatch } from '@annals/sdk';
import {
  type GetOperation,
  type ListNamespacesOperation,
  type Operation,
  type PutOperation,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import type { AnnalsStoreOptions, StorePutOptions, StoreSearchMode, StoreSearchOptions } from './options.js';

/** An operation as the API takes it. */
export type SentOperation = LangGraphStoreBatch['operations'][number];

/** What the operations of this store may have beside those of LangGraph. */
export type StorePutOperation = PutOperation & { readonly options?: StorePutOptions | undefined };
export type StoreSearchOperation = SearchOperation & Omit<StoreSearchOptions, keyof SearchOperation>;

const MODES: readonly StoreSearchMode[] = ['auto', 'text', 'vector', 'hybrid'];

/** The namespace by which the user of an operation is told. */
export function namespaceOf(operation: Operation): readonly string[] {
  if ('namespacePrefix' in operation) return operation.namespacePrefix;
  if ('namespace' in operation) return operation.namespace;
  const prefix = operation.matchConditions?.find(({ matchType }) => matchType === 'prefix')?.path ?? [];
  const wildcard = prefix.indexOf('*');
  return wildcard === -1 ? prefix : prefix.slice(0, wildcard);
}

/** Throws an `InvalidNamespaceError`, and an `Error` for a search that this store cannot run. */
export function toRequest(operation: Operation, options: AnnalsStoreOptions): SentOperation {
  if ('namespacePrefix' in operation) return toSearch(operation, options);
  if ('value' in operation) return toPut(operation, options);
  if ('key' in operation) return toGet(operation, options);
  return toList(operation);
}

function toGet({ namespace, key }: GetOperation, options: AnnalsStoreOptions): SentOperation {
  validateNamespace(namespace, { allowEmpty: true, allowReservedRoot: true });
  return { op: 'get', namespace, key, ...refresh(undefined, options) };
}

function toPut(operation: StorePutOperation, { index, ttl }: AnnalsStoreOptions): SentOperation {
  const { namespace, key, value } = operation;
  if (value === null) {
    validateNamespace(namespace, { allowEmpty: true, allowReservedRoot: true });
    return { op: 'delete', namespace, key };
  }
  validateNamespace(namespace);
  const paths = operation.index ?? (index ? [...(index.fields ?? ['$'])] : false);
  const minutes = operation.options?.ttl ?? ttl?.defaultTtl;
  return {
    op: 'put',
    namespace,
    key,
    value,
    // Without an index nothing is searched by meaning.
    index: index ? paths : false,
    ...(minutes === undefined ? {} : { ttl_minutes: minutes }),
  };
}

function toSearch(operation: StoreSearchOperation, options: AnnalsStoreOptions): SentOperation {
  const { namespacePrefix, filter, limit = 10, offset = 0, query, similarityThreshold, vectorWeight } = operation;
  validateNamespace(namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
  const mode = chooseMode(operation.mode, options);
  return {
    op: 'search',
    namespace_prefix: namespacePrefix,
    limit,
    offset,
    ...(filter && Object.keys(filter).length > 0 ? { filter } : {}),
    ...(query === undefined || query === '' ? {} : { query, mode }),
    ...(similarityThreshold === undefined ? {} : { similarity_threshold: similarityThreshold }),
    ...(vectorWeight === undefined ? {} : { vector_weight: vectorWeight }),
    ...refresh(operation.refreshTtl, options),
  };
}

function chooseMode(mode: StoreSearchMode = 'auto', { index }: AnnalsStoreOptions): 'text' | 'vector' | 'hybrid' {
  if (!MODES.includes(mode)) throw new Error(`Unknown search mode: use one of ${MODES.join(', ')}.`);
  if (mode === 'auto') return index ? 'vector' : 'text';
  if (mode === 'vector' && !index)
    throw new Error('Vector search requested but not configured: give the store an index.');
  if (mode === 'hybrid' && !index)
    throw new Error('Hybrid search requested but vector search not configured: give the store an index.');
  return mode;
}

function toList({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation): SentOperation {
  return {
    op: 'list_namespaces',
    match_conditions: matchConditions.map(({ matchType, path }) => ({ match_type: matchType, path })),
    ...(maxDepth === undefined ? {} : { max_depth: maxDepth }),
    limit,
    offset,
  };
}

function refresh(asked: boolean | undefined, { ttl }: AnnalsStoreOptions): { refresh_ttl?: true } {
  return (asked ?? (ttl !== undefined && ttl.refreshOnRead !== false)) ? { refresh_ttl: true } : {};
}
