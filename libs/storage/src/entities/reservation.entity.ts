import { CALL_OPERATIONS, type CallOperation } from '@annals/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** The maximum cost of a call that is about to be made or is running. */
@Entity('reservations')
@Check('reservations_operation_check', `operation IN ('${CALL_OPERATIONS.join("', '")}')`)
@Check('reservations_amount_micro_usd_check', 'amount_micro_usd >= 0')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'reservations_tenant_id_fkey' })
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'reservations_tenant_id_batch_id_fkey',
})
@Index('reservations_by_expiry', ['expires_at'])
@Index('reservations_by_day', ['day', 'id'])
export class ReservationEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  batch_id: string | null;

  @Column({ type: 'text', nullable: true })
  user_id: string | null;

  @Column({ type: 'text' })
  operation: CallOperation;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'bigint' })
  amount_micro_usd: string;

  @Column({ type: 'date' })
  day: string;

  @Column({ type: 'bigint', nullable: true })
  fence: string | null;

  @Column({ type: 'integer', nullable: true })
  generation: number | null;

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'timestamptz' })
  expires_at: Date;
}
