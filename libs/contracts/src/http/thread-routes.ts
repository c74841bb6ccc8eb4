import { idParams } from '../primitives.js';
import { pageQuerySchema } from './admin.js';
import * as events from './events.js';
import { defineRoute } from './route-definition.js';
import * as threads from './threads.js';

export const threadRoutes = {
  getThreadDelta: defineRoute({
    method: 'GET',
    path: '/v1/threads/{thread_id}/delta',
    summary: 'Changes of a thread’s memories since a revision, with the header for a prompt.',
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
    summary: 'Memories that are related to a memory, in both directions, the strongest relation first.',
    tag: 'memories',
    scopes: ['query', 'admin'],
    params: idParams,
    query: pageQuerySchema,
    responses: { 200: threads.relatedPageSchema },
    problems: ['not_found'],
  }),
  listEvents: defineRoute({
    method: 'GET',
    path: '/v1/events',
    summary: 'Events, newest first: what was done to memories, queries, and refused requests.',
    tag: 'events',
    scopes: ['admin'],
    query: events.listEventsQuerySchema,
    responses: { 200: events.eventPageSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
  countEvents: defineRoute({
    method: 'GET',
    path: '/v1/events/counts',
    summary: 'Counts of events by node, operation and status.',
    tag: 'events',
    scopes: ['admin'],
    query: events.countEventsQuerySchema,
    responses: { 200: events.eventCountsSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
} as const;
