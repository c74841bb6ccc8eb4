import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** The stored response to a request, returned when the request is repeated. */
@Entity('idempotency_keys')
@Index('idempotency_keys_by_age', ['created_at'])
@Index('idempotency_keys_by_user', { synchronize: false })
export class IdempotencyKeyEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  route: string;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'bytea' })
  request_hmac: Buffer;

  @Column({ type: 'smallint' })
  status: number;

  @Column({ type: 'jsonb' })
  response: unknown;

  @Column({ type: 'text', nullable: true })
  user_id: string | null;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
