import { energySchema } from './energy.js';
import { defineRoute } from './route-definition.js';
import * as usage from './usage.js';

export const spendingRoutes = {
  getUsage: defineRoute({
    method: 'GET',
    path: '/v1/usage',
    summary: 'Usage and cost of model calls, and the current usage of the budget.',
    tag: 'usage',
    scopes: ['admin'],
    query: usage.usageQuerySchema,
    responses: { 200: usage.usagePageSchema },
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
    responses: { 200: usage.tenantBudgetSchema },
  }),
  putBudget: defineRoute({
    method: 'PUT',
    path: '/v1/admin/budgets',
    summary: 'Set the tenant’s daily budget; raising it resumes deferred batches.',
    tag: 'usage',
    scopes: ['admin'],
    body: usage.putBudgetSchema,
    idempotent: true,
    responses: { 200: usage.tenantBudgetSchema },
  }),
  getDeploymentBudgets: defineRoute({
    method: 'GET',
    path: '/v1/operator/budgets',
    summary: 'The daily budgets of the deployment and of each provider, all tenants together.',
    tag: 'operator',
    scopes: ['operator'],
    responses: { 200: usage.deploymentBudgetsSchema },
  }),
  listTenantCosts: defineRoute({
    method: 'GET',
    path: '/v1/operator/costs',
    summary: 'What the model calls of each tenant cost.',
    tag: 'operator',
    scopes: ['operator'],
    query: usage.tenantCostsQuerySchema,
    responses: { 200: usage.tenantCostsPageSchema },
  }),
  putDeploymentBudgets: defineRoute({
    method: 'PUT',
    path: '/v1/operator/budgets',
    summary: 'Set the daily budgets of the deployment and of providers; raising one resumes deferred batches.',
    tag: 'operator',
    scopes: ['operator'],
    body: usage.putDeploymentBudgetsSchema,
    idempotent: true,
    responses: { 200: usage.deploymentBudgetsSchema },
  }),
} as const;
