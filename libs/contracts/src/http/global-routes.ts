import { idParams } from '../primitives.js';
import {
  addGlobalMemorySchema,
  listGlobalMemoriesQuerySchema,
  memoryPageSchema,
  memorySchema,
  memoryWrittenSchema,
} from './memories.js';
import { defineRoute } from './route-definition.js';

export const globalRoutes = {
  listGlobalMemories: defineRoute({
    method: 'GET',
    path: '/v1/global/memories',
    summary: 'The memories for all users of the tenant, by filters, newest first.',
    tag: 'global',
    scopes: ['query', 'admin'],
    query: listGlobalMemoriesQuerySchema,
    responses: { 200: memoryPageSchema },
    problems: ['forbidden_category', 'forbidden_scope'],
  }),
  addGlobalMemory: defineRoute({
    method: 'POST',
    path: '/v1/global/memories',
    summary: 'Add a memory for all users of the tenant; conversations read it and never change it.',
    tag: 'global',
    scopes: ['admin'],
    body: addGlobalMemorySchema,
    idempotent: true,
    responses: { 201: memoryWrittenSchema, 200: memoryWrittenSchema },
    responseDescriptions: {
      201: 'The memory is new.',
      200: 'An equal global memory exists already: `outcome` says whether it was changed.',
    },
    problems: ['writing_refused'],
  }),
  deleteGlobalMemory: defineRoute({
    method: 'DELETE',
    path: '/v1/global/memories/{id}',
    summary: 'Delete a global memory; it can be restored until it is purged.',
    tag: 'global',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    conditional: true,
    responses: { 200: memorySchema },
    problems: ['not_found'],
  }),
} as const;
