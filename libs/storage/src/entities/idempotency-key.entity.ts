import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** The stored response to a request, returned when the request is repeated. */
@Entity('idempotency_keys')
@Index('idempotency_keys_by_age', ['created_at'])
@Index('idempotency_keys_by_user', { synchronize: false })
export class IdempotencyKeyEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') route: string;
  @PrimaryColumn('text') key: string;
  @Column('bytea') request_hmac: Buffer;
  @Column('smallint') status: number;
  @Column('jsonb') response: unknown;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('timestamptz') created_at: Date;
}
