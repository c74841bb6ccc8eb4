export { createTenant, DEFAULT_TENANT, deleteTenant, ensureTenant, findTenant, listTenants } from './tenants.js';
