import { z } from 'zod';
import { uuidSchema } from '../primitives.js';
import { memoryPageSchema, memorySchema, memoryWrittenSchema } from './memories.js';
import * as privacy from './privacy.js';
import { defineRoute } from './route-definition.js';

const idParams = z.strictObject({ id: uuidSchema });

/** Routes of data subject requests (GDPR), undo, and an admin's decisions about quarantined memories. */
export const privacyRoutes = {
  exportUser: defineRoute({
    method: 'GET',
    path: '/v1/users/{user_id}/export',
    summary: 'Export all data of a user as JSON lines: a manifest first, counts last.',
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
    summary: 'Erase all data of a user; only an audit trail without content remains. Returns a signed receipt.',
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
    summary: 'Forget a conversation: delete it and the memories that are based on it alone.',
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
    summary: 'Undo the last change of a memory, of whatever kind.',
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
    summary: 'Memories that are quarantined because their evidence was not confirmed, latest first.',
    tag: 'quarantine',
    scopes: ['admin'],
    query: privacy.quarantineQuerySchema,
    responses: { 200: memoryPageSchema },
    problems: ['forbidden_user'],
  }),
  releaseMemory: defineRoute({
    method: 'POST',
    path: '/v1/quarantine/{id}/release',
    summary: 'Release a memory from quarantine, so that it is returned again.',
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
    summary: 'Delete a quarantined memory, so that it is not quarantined again.',
    tag: 'quarantine',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memorySchema },
    problems: ['not_found', 'memory_not_quarantined'],
  }),
} as const;
