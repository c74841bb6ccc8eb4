import { z } from 'zod';
import { uuidSchema } from '../primitives.js';
import * as events from './events.js';
import { defineRoute } from './route-definition.js';
import * as threads from './threads.js';

/** What changed, what belongs together, and what was done. */
export const threadRoutes = {
  getThreadDelta: defineRoute({
    method: 'GET',
    path: '/v1/threads/{thread_id}/delta',
    summary: 'What changed in a thread’s memories since a revision, with the header for a prompt.',
    tag: 'memory',
    scopes: ['query', 'admin'],
    params: threads.threadParamsSchema,
    query: threads.threadDeltaQuerySchema,
    responses: { 200: threads.threadDeltaSchema },
    problems: ['not_found', 'forbidden_user', 'forbidden_agent', 'forbidden_category'],
  }),
  getRelatedMemories: defineRoute({
    method: 'GET',
    path: '/v1/memories/{id}/related',
    summary: 'Memories that are linked to one, both ways, the strongest link first.',
    tag: 'memories',
    scopes: ['query', 'admin'],
    params: z.strictObject({ id: uuidSchema }),
    query: threads.relatedQuerySchema,
    responses: { 200: threads.relatedPageSchema },
    problems: ['not_found'],
  }),
  listEvents: defineRoute({
    method: 'GET',
    path: '/v1/events',
    summary: 'What was done, newest first; refused requests among it.',
    tag: 'events',
    scopes: ['admin'],
    query: events.listEventsQuerySchema,
    responses: { 200: events.eventPageSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
  countEvents: defineRoute({
    method: 'GET',
    path: '/v1/events/counts',
    summary: 'How often what was done, by node and operation.',
    tag: 'events',
    scopes: ['admin'],
    query: events.countEventsQuerySchema,
    responses: { 200: events.eventCountsSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
} as const;
