import { langGraphStoreBatchSchema, langGraphStoreResultsSchema } from './langgraph-store.js';
import { defineRoute } from './route-definition.js';

/** Items of LangGraph's store (docs/reference/langgraph-store.md). */
export const langGraphStoreRoutes = {
  batchLangGraphStore: defineRoute({
    method: 'POST',
    path: '/v1/langgraph/store/batch',
    summary: 'Read, search, store and delete items of LangGraph’s store, several at once.',
    tag: 'langgraph',
    scopes: ['ingest', 'query'],
    body: langGraphStoreBatchSchema,
    idempotent: true,
    responses: { 200: langGraphStoreResultsSchema },
    problems: ['forbidden_user', 'forbidden_agent', 'forbidden_category', 'item_too_large', 'store_answer_too_large'],
  }),
} as const;
