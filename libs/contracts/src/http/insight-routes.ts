import { idParams, userParams } from '../primitives.js';
import { listInsightsQuerySchema, memoryReasonsSchema, userInsightsSchema } from './insights.js';
import { defineRoute } from './route-definition.js';

/** What was inferred about a person, and why (docs/reference/insights.md). */
export const insightRoutes = {
  listInsights: defineRoute({
    method: 'GET',
    path: '/v1/users/{user_id}/insights',
    summary: 'All insights about a person in any state, newest first, each with what it rests on.',
    tag: 'users',
    scopes: ['query', 'admin'],
    params: userParams,
    query: listInsightsQuerySchema,
    responses: { 200: userInsightsSchema },
    problems: ['forbidden_user', 'forbidden_agent', 'forbidden_category'],
  }),
  explainMemory: defineRoute({
    method: 'GET',
    path: '/v1/memories/{id}/why',
    summary: 'Why do you think this? The messages and memories that a memory rests on.',
    tag: 'memories',
    scopes: ['query', 'admin'],
    params: idParams,
    responses: { 200: memoryReasonsSchema },
    problems: ['not_found'],
  }),
} as const;
