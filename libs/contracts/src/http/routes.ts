import { idParams } from '../primitives.js';
import * as admin from './admin.js';
import { appRoutes } from './app-routes.js';
import { batchPageSchema, batchSchema, listBatchesQuerySchema } from './batches.js';
import { chatRoutes } from './chat-routes.js';
import { checkpointRoutes } from './checkpoint-routes.js';
import { consolidationRoutes } from './consolidation-routes.js';
import { contextRoutes } from './context-routes.js';
import * as conversations from './conversations.js';
import { globalRoutes } from './global-routes.js';
import { healthSchema } from './health.js';
import * as memories from './memories.js';
import { memoryQueryAnswerSchema, memoryQuerySchema } from './memory-query.js';
import { insightRoutes } from './insight-routes.js';
import { langGraphRoutes } from './langgraph-routes.js';
import { langGraphStoreRoutes } from './langgraph-store-routes.js';
import { mcpRoutes } from './mcp-routes.js';
import { mindRoutes } from './mind-routes.js';
import { personRoutes } from './person-routes.js';
import { privacyRoutes } from './privacy-routes.js';
import { defineRoute } from './route-definition.js';
import { spendingRoutes } from './spending-routes.js';
import { tenantRoutes } from './tenant-routes.js';
import { threadRoutes } from './thread-routes.js';
import { userRoutes } from './user-routes.js';
import { webhookRoutes } from './webhook-routes.js';
import { workRoutes } from './work-routes.js';

export const routes = {
  postConversation: defineRoute({
    method: 'POST',
    path: '/v1/conversations',
    summary: 'Add messages to a conversation; memories are extracted from them asynchronously.',
    tag: 'conversations',
    scopes: ['ingest'],
    query: conversations.postConversationQuerySchema,
    body: conversations.postConversationSchema,
    idempotent: true,
    responses: { 202: conversations.conversationAcceptedSchema, 200: conversations.conversationAcceptedSchema },
    responseDescriptions: {
      202: 'New messages are stored and will be extracted: track the batch at `status_url`.',
      200: 'All messages are duplicates, or it was a dry run: `batch_ids` is empty and there is no `status_url`.',
    },
    problems: [
      'message_conflict',
      'conversation_forgotten',
      'body_too_large',
      'budget_exceeded',
      'dry_run_failed',
      'dry_run_timeout',
    ],
  }),
  endConversation: defineRoute({
    method: 'POST',
    path: '/v1/conversations/{id}/end',
    summary: 'End a conversation and extract its open batches now.',
    tag: 'conversations',
    scopes: ['ingest'],
    params: idParams,
    idempotent: true,
    responses: { 200: conversations.conversationEndedSchema },
    problems: ['not_found', 'forbidden_category'],
  }),
  getConversation: defineRoute({
    method: 'GET',
    path: '/v1/conversations/{id}',
    summary: 'A conversation with its stored, redacted messages.',
    tag: 'conversations',
    scopes: ['ingest', 'admin'],
    params: idParams,
    query: admin.pageQuerySchema,
    responses: { 200: conversations.conversationSchema },
    problems: ['not_found', 'forbidden_category'],
  }),
  listBatches: defineRoute({
    method: 'GET',
    path: '/v1/batches',
    summary: 'Batches by filters, newest first: `status=failed` returns those that can be replayed.',
    tag: 'batches',
    scopes: ['ingest', 'admin'],
    query: listBatchesQuerySchema,
    responses: { 200: batchPageSchema },
    problems: ['forbidden_user'],
  }),
  getBatch: defineRoute({
    method: 'GET',
    path: '/v1/batches/{id}',
    summary: 'The state of a batch, with counts and cost.',
    tag: 'batches',
    scopes: ['ingest', 'admin'],
    params: idParams,
    responses: { 200: batchSchema },
    problems: ['not_found'],
  }),
  streamBatch: defineRoute({
    method: 'GET',
    path: '/v1/batches/{id}/events',
    summary: 'The state of a batch as server-sent events: `status` at each change, until the batch is done or failed.',
    tag: 'batches',
    scopes: ['ingest', 'admin'],
    params: idParams,
    // 204: the change that Last-Event-ID names was the last.
    responses: { 200: null, 204: null },
    media: 'text/event-stream',
    items: batchSchema,
    problems: ['not_found'],
  }),
  replayBatch: defineRoute({
    method: 'POST',
    path: '/v1/batches/{id}/replay',
    summary: 'Run a failed batch again.',
    tag: 'batches',
    scopes: ['ingest', 'admin'],
    params: idParams,
    idempotent: true,
    responses: { 202: batchSchema },
    problems: ['not_found', 'batch_not_failed'],
  }),
  queryMemory: defineRoute({
    method: 'POST',
    path: '/v1/memory/query',
    summary: 'memory.query: search a user’s memories; results are ranked and fit a token budget.',
    tag: 'memory',
    scopes: ['query'],
    body: memoryQuerySchema,
    readOnly: true,
    responses: { 200: memoryQueryAnswerSchema },
    problems: ['forbidden_agent', 'forbidden_category', 'forbidden_user'],
  }),
  listMemories: defineRoute({
    method: 'GET',
    path: '/v1/memories',
    summary: 'Memories by filters, newest first.',
    tag: 'memories',
    scopes: ['query', 'admin'],
    query: memories.listMemoriesQuerySchema,
    responses: { 200: memories.memoryPageSchema },
    problems: ['forbidden_user', 'forbidden_category', 'forbidden_scope'],
  }),
  getMemory: defineRoute({
    method: 'GET',
    path: '/v1/memories/{id}',
    summary: 'One memory with its sources, provenance and validity.',
    tag: 'memories',
    scopes: ['query', 'admin'],
    params: idParams,
    responses: { 200: memories.memorySchema },
    problems: ['not_found'],
  }),
  addMemory: defineRoute({
    method: 'POST',
    path: '/v1/memories',
    summary: 'Add a memory directly, without extraction.',
    tag: 'memories',
    scopes: ['ingest', 'admin'],
    body: memories.addMemorySchema,
    idempotent: true,
    responses: { 201: memories.memoryWrittenSchema, 200: memories.memoryWrittenSchema },
    responseDescriptions: {
      201: 'The memory is new.',
      200: 'An equal memory exists already: `outcome` says whether it was changed.',
    },
    problems: ['forbidden_user', 'forbidden_category', 'writing_refused'],
  }),
  patchMemory: defineRoute({
    method: 'PATCH',
    path: '/v1/memories/{id}',
    summary: 'Change whether a memory is pinned, its importance or its category; new content supersedes it.',
    tag: 'memories',
    scopes: ['ingest', 'admin'],
    params: idParams,
    body: memories.patchMemorySchema,
    idempotent: true,
    conditional: true,
    responses: { 200: memories.memoryWrittenSchema },
    problems: [...memories.GLOBAL_WRITE_PROBLEMS, 'not_found', 'memory_not_current', 'writing_refused'],
  }),
  deleteMemory: defineRoute({
    method: 'DELETE',
    path: '/v1/memories/{id}',
    summary: 'Delete a memory, with those that were merged into it; they can be restored until they are purged.',
    tag: 'memories',
    scopes: ['ingest', 'admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memories.memorySchema },
    problems: [...memories.GLOBAL_WRITE_PROBLEMS, 'not_found'],
  }),
  restoreMemory: defineRoute({
    method: 'POST',
    path: '/v1/memories/{id}/restore',
    summary:
      'Restore a deleted memory, with those that were deleted along; if it has an active duplicate, it is merged into that.',
    tag: 'memories',
    scopes: ['ingest', 'admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memories.memoryWrittenSchema },
    problems: [...memories.GLOBAL_WRITE_PROBLEMS, 'not_found', 'memory_not_deleted', 'insight_without_ground'],
  }),
  getMemoryHistory: defineRoute({
    method: 'GET',
    path: '/v1/memories/{id}/history',
    summary: 'Every change of a memory, newest first.',
    tag: 'memories',
    scopes: ['query', 'admin'],
    params: idParams,
    query: admin.pageQuerySchema,
    responses: { 200: memories.historyPageSchema },
    problems: ['not_found'],
  }),
  ...globalRoutes,
  ...threadRoutes,
  ...contextRoutes,
  ...insightRoutes,
  ...appRoutes,
  ...checkpointRoutes,
  ...langGraphRoutes,
  ...langGraphStoreRoutes,
  ...privacyRoutes,
  ...spendingRoutes,
  ...webhookRoutes,
  ...userRoutes,
  ...workRoutes,
  ...consolidationRoutes,
  ...mindRoutes,
  ...mcpRoutes,
  ...chatRoutes,
  listKeys: defineRoute({
    method: 'GET',
    path: '/v1/admin/keys',
    summary: 'The API keys of the tenant.',
    tag: 'admin',
    scopes: ['admin'],
    query: admin.pageQuerySchema,
    responses: { 200: admin.apiKeyPageSchema },
  }),
  createKey: defineRoute({
    method: 'POST',
    path: '/v1/admin/keys',
    summary: 'Create an API key; it is shown only once.',
    tag: 'admin',
    scopes: ['admin'],
    body: admin.createKeySchema,
    idempotent: true,
    responses: { 201: admin.apiKeyCreatedSchema },
    problems: ['forbidden_category', 'forbidden_agent', 'forbidden_user'],
  }),
  revokeKey: defineRoute({
    method: 'DELETE',
    path: '/v1/admin/keys/{id}',
    summary: 'Revoke an API key.',
    tag: 'admin',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    responses: { 200: admin.apiKeySchema },
    problems: ['not_found'],
  }),
  ...personRoutes,
  ...tenantRoutes,
  getLiveness: defineRoute({
    method: 'GET',
    path: '/health/live',
    summary: 'Liveness: the process runs.',
    tag: 'operations',
    scopes: 'public',
    responses: { 200: healthSchema },
  }),
  getReadiness: defineRoute({
    method: 'GET',
    path: '/health/ready',
    summary: 'Readiness: the database and the queue are available, and the pipeline does not fail every batch.',
    tag: 'operations',
    scopes: 'public',
    responses: { 200: healthSchema, 503: healthSchema },
  }),
  getMetrics: defineRoute({
    method: 'GET',
    path: '/metrics',
    summary: 'Prometheus metrics, totals over all tenants, for the token of ANNALS_METRICS_TOKEN.',
    tag: 'operations',
    scopes: 'public',
    responses: { 200: null },
    media: 'text/plain',
    problems: ['not_found', 'unauthenticated'],
  }),
} as const;

export type RouteName = keyof typeof routes;
