import { idParams } from '../primitives.js';
import * as admin from './admin.js';
import { defineRoute } from './route-definition.js';

/** How an operator manages tenants. */
export const tenantRoutes = {
  listTenants: defineRoute({
    method: 'GET',
    path: '/v1/operator/tenants',
    summary: 'All tenants.',
    tag: 'operator',
    scopes: ['operator'],
    query: admin.pageQuerySchema,
    responses: { 200: admin.tenantPageSchema },
  }),
  createTenant: defineRoute({
    method: 'POST',
    path: '/v1/operator/tenants',
    summary: 'Create a tenant with a first API key.',
    tag: 'operator',
    scopes: ['operator'],
    body: admin.createTenantSchema,
    idempotent: true,
    responses: { 201: admin.tenantCreatedSchema },
    problems: ['tenant_exists'],
  }),
  patchTenant: defineRoute({
    method: 'PATCH',
    path: '/v1/operator/tenants/{id}',
    summary: 'Change the settings of a tenant.',
    tag: 'operator',
    scopes: ['operator'],
    params: idParams,
    body: admin.patchTenantSchema,
    idempotent: true,
    responses: { 200: admin.tenantSchema },
    problems: ['not_found'],
  }),
  deleteTenant: defineRoute({
    method: 'DELETE',
    path: '/v1/operator/tenants/{id}',
    summary: 'Delete a tenant and all its data.',
    tag: 'operator',
    scopes: ['operator'],
    params: idParams,
    idempotent: true,
    responses: { 200: admin.tenantDeletedSchema },
    problems: ['not_found'],
  }),
  createTenantKey: defineRoute({
    method: 'POST',
    path: '/v1/operator/tenants/{id}/keys',
    summary: 'Create an API key with all scopes for a tenant that has lost its own; it is shown only once.',
    tag: 'operator',
    scopes: ['operator'],
    params: idParams,
    body: admin.createTenantKeySchema,
    idempotent: true,
    responses: { 201: admin.apiKeyCreatedSchema },
    problems: ['not_found'],
  }),
} as const;
