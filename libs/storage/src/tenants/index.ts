export { createTenant, DEFAULT_TENANT, deleteTenant, ensureTenant, listTenants } from './tenants.js';
