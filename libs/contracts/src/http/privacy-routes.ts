import { z } from 'zod';
import { uuidSchema } from '../primitives.js';
import { memoryPageSchema, memorySchema, memoryWrittenSchema } from './memories.js';
import * as privacy from './privacy.js';
import { defineRoute } from './route-definition.js';

const idParams = z.strictObject({ id: uuidSchema });

/** What a person may ask about their own data, and what an admin decides about what was quarantined. */
export const privacyRoutes = {
  exportUser: defineRoute({
    method: 'GET',
    path: '/v1/users/{user_id}/export',
    summary: 'Everything about a user as lines of JSON: a manifest first, counts last.',
    tag: 'privacy',
    scopes: ['admin'],
    params: privacy.userParamsSchema,
    responses: { 200: null },
    media: 'application/x-ndjson',
    problems: ['not_found', 'forbidden_user', 'forbidden_category'],
  }),
  eraseUser: defineRoute({
    method: 'DELETE',
    path: '/v1/users/{user_id}',
    summary: 'Erase everything about a user; what is left is an audit trail without content. Answers a signed receipt.',
    tag: 'privacy',
    scopes: ['admin'],
    params: privacy.userParamsSchema,
    idempotent: true,
    responses: { 200: privacy.erasureReceiptSchema },
    problems: ['not_found', 'forbidden_user', 'forbidden_category'],
  }),
  forgetConversation: defineRoute({
    method: 'DELETE',
    path: '/v1/conversations/{id}',
    summary: 'Forget a conversation, and the memories that rest on it alone.',
    tag: 'privacy',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    responses: { 200: privacy.conversationForgottenSchema },
    problems: ['not_found', 'forbidden_category'],
  }),
  undoMemory: defineRoute({
    method: 'POST',
    path: '/v1/memories/{id}/undo',
    summary: 'Take back the last change of a memory, whatever it was.',
    tag: 'memories',
    scopes: ['ingest', 'admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memoryWrittenSchema },
    problems: ['not_found', 'memory_not_undoable', 'forbidden_category'],
  }),
  listQuarantine: defineRoute({
    method: 'GET',
    path: '/v1/quarantine',
    summary: 'Memories that are quarantined since their evidence did not hold, latest first.',
    tag: 'quarantine',
    scopes: ['admin'],
    query: privacy.quarantineQuerySchema,
    responses: { 200: memoryPageSchema },
    problems: ['forbidden_user'],
  }),
  releaseMemory: defineRoute({
    method: 'POST',
    path: '/v1/quarantine/{id}/release',
    summary: 'Serve a memory that was quarantined.',
    tag: 'quarantine',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memoryWrittenSchema },
    problems: ['not_found', 'memory_not_quarantined'],
  }),
  rejectMemory: defineRoute({
    method: 'POST',
    path: '/v1/quarantine/{id}/reject',
    summary: 'Delete a memory that was quarantined, so that it is not quarantined again.',
    tag: 'quarantine',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memorySchema },
    problems: ['not_found', 'memory_not_quarantined'],
  }),
} as const;
