import { energySchema } from './energy.js';
import { defineRoute } from './route-definition.js';
import * as budgets from './usage.js';
import { usagePageSchema, usageQuerySchema } from './usage.js';

export const spendingRoutes = {
  getUsage: defineRoute({
    method: 'GET',
    path: '/v1/usage',
    summary: 'Usage and cost of model calls, and the current usage of the budget.',
    tag: 'usage',
    scopes: ['admin'],
    query: usageQuerySchema,
    responses: { 200: usagePageSchema },
  }),
  getEnergy: defineRoute({
    method: 'GET',
    path: '/v1/usage/energy',
    summary: 'What background work may still draw, what it has drawn, and what waits for it.',
    tag: 'usage',
    scopes: ['admin'],
    responses: { 200: energySchema },
  }),
  getBudget: defineRoute({
    method: 'GET',
    path: '/v1/admin/budgets',
    summary: 'The tenant’s daily budget and its current usage.',
    tag: 'usage',
    scopes: ['admin'],
    responses: { 200: budgets.tenantBudgetSchema },
  }),
  putBudget: defineRoute({
    method: 'PUT',
    path: '/v1/admin/budgets',
    summary: 'Set the tenant’s daily budget; raising it resumes deferred batches.',
    tag: 'usage',
    scopes: ['admin'],
    body: budgets.putBudgetSchema,
    idempotent: true,
    responses: { 200: budgets.tenantBudgetSchema },
  }),
  getDeploymentBudgets: defineRoute({
    method: 'GET',
    path: '/v1/operator/budgets',
    summary: 'The daily budgets of the deployment and of each provider, all tenants together.',
    tag: 'operator',
    scopes: ['operator'],
    responses: { 200: budgets.deploymentBudgetsSchema },
  }),
  putDeploymentBudgets: defineRoute({
    method: 'PUT',
    path: '/v1/operator/budgets',
    summary: 'Set the daily budgets of the deployment and of providers; raising one resumes deferred batches.',
    tag: 'operator',
    scopes: ['operator'],
    body: budgets.putDeploymentBudgetsSchema,
    idempotent: true,
    responses: { 200: budgets.deploymentBudgetsSchema },
  }),
} as const;
