/**
 * Every key starts with tenant_id (docs/reference/isolation.md#tenant-first-in-every-key), which is taken from the
 * session's tenant unless given: a row of another tenant cannot be written by forgetting a column.
 */
export const TENANT = `tenant_id uuid NOT NULL DEFAULT nullif(current_setting('annals.tenant', true), '')::uuid`;
