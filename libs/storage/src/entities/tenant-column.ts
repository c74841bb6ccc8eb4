import { PrimaryColumn } from 'typeorm';

/**
 * The first part of every key. When undefined, it is the session's tenant
 * (docs/reference/isolation.md#tenant-first-in-every-key): the table's default, which is not declared here because
 * TypeORM compares defaults in lower case and PostgreSQL prints NULLIF.
 */
export function TenantColumn(): PropertyDecorator {
  return PrimaryColumn({ type: 'uuid' });
}
