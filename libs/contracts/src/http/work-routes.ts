import { idParams } from '../primitives.js';
import { defineRoute } from './route-definition.js';
import { listWorkQuerySchema, workOverviewSchema, workPageSchema, workSchema } from './work.js';

export const workRoutes = {
  getWorkOverview: defineRoute({
    method: 'GET',
    path: '/v1/operator/work',
    summary: 'Work of all tenants by kind: what waits, runs, is deferred or has failed, and why.',
    tag: 'operator',
    scopes: ['operator'],
    responses: { 200: workOverviewSchema },
  }),
  listWork: defineRoute({
    method: 'GET',
    path: '/v1/admin/work',
    summary: 'Background work of the tenant that waits, runs or has failed, newest first.',
    tag: 'work',
    scopes: ['admin'],
    query: listWorkQuerySchema,
    responses: { 200: workPageSchema },
  }),
  replayWork: defineRoute({
    method: 'POST',
    path: '/v1/admin/work/{id}/replay',
    summary: 'Run failed work again.',
    tag: 'work',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    responses: { 202: workSchema },
    problems: ['not_found', 'work_not_failed'],
  }),
} as const;
