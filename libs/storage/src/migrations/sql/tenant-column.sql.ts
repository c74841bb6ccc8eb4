/**
 * Every key starts with tenant_id (decision 37), which is taken from the session's tenant unless given: a row of
 * another tenant cannot be written by forgetting a column.
 */
export const TENANT = `tenant_id uuid NOT NULL DEFAULT nullif(current_setting('annals.tenant', true), '')::uuid`;
