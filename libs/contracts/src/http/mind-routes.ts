import { listMindRunsQuerySchema, mindRunPageSchema } from './minds.js';
import { defineRoute } from './route-definition.js';

export const mindRoutes = {
  listMindRuns: defineRoute({
    method: 'GET',
    path: '/v1/admin/minds/runs',
    summary: 'Runs of minds of the tenant, newest first: what they cost and changed, in numbers.',
    tag: 'work',
    scopes: ['admin'],
    query: listMindRunsQuerySchema,
    responses: { 200: mindRunPageSchema },
  }),
} as const;
