import { PrimaryColumn } from 'typeorm';

/**
 * The first part of every key. Left undefined, it is the session's tenant (decision 37): the table's default, which is
 * not declared here because TypeORM compares defaults in lower case and PostgreSQL prints NULLIF.
 */
export function TenantColumn(): PropertyDecorator {
  return PrimaryColumn({ type: 'uuid' });
}
