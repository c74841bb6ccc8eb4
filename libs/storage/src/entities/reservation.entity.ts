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
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { nullable: true }) batch_id: string | null;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text') operation: CallOperation;
  @Column('text') provider: string;
  @Column('text') model: string;
  @Column('bigint') amount_micro_usd: string;
  @Column('date') day: string;
  @Column('bigint', { nullable: true }) fence: string | null;
  @Column('integer', { nullable: true }) generation: number | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
