import { idParams } from '../primitives.js';
import {
  consolidationAcceptedSchema,
  consolidationRunPageSchema,
  consolidationRunSchema,
  consolidationUndoneSchema,
  listConsolidationRunsQuerySchema,
  startConsolidationSchema,
} from './consolidation.js';
import { defineRoute } from './route-definition.js';

export const consolidationRoutes = {
  startConsolidation: defineRoute({
    method: 'POST',
    path: '/v1/consolidation/runs',
    summary: 'Tidy the memories of a user now, in the background: merge, relate, rank. Or plan it only.',
    tag: 'consolidation',
    scopes: ['admin'],
    body: startConsolidationSchema,
    idempotent: true,
    responses: { 202: consolidationAcceptedSchema },
    problems: ['not_found', 'minds_off'],
  }),
  listConsolidationRuns: defineRoute({
    method: 'GET',
    path: '/v1/consolidation/runs',
    summary: 'Runs of consolidation of the tenant, newest first.',
    tag: 'consolidation',
    scopes: ['admin'],
    query: listConsolidationRunsQuerySchema,
    responses: { 200: consolidationRunPageSchema },
  }),
  getConsolidationRun: defineRoute({
    method: 'GET',
    path: '/v1/consolidation/runs/{id}',
    summary: 'A run of consolidation with every change and its reason.',
    tag: 'consolidation',
    scopes: ['admin'],
    params: idParams,
    responses: { 200: consolidationRunSchema },
    problems: ['not_found'],
  }),
  undoConsolidationRun: defineRoute({
    method: 'POST',
    path: '/v1/consolidation/runs/{id}/undo',
    summary: 'Undo a run as a whole; what somebody changed since stays, with the reason.',
    tag: 'consolidation',
    scopes: ['admin'],
    params: idParams,
    idempotent: true,
    responses: { 200: consolidationUndoneSchema },
    problems: ['not_found', 'run_not_undoable'],
  }),
} as const;
