import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** Messages that are tried out for somebody who waits, and the answer. Unlogged, and gone when it is taken. */
@Entity('dry_runs')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], {
  name: 'dry_runs_tenant_id_fkey',
  onDelete: 'CASCADE',
})
@Index('dry_runs_by_expiry', ['expires_at'])
export class DryRunEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('jsonb') request: unknown;
  @Column('jsonb', { nullable: true }) result: unknown;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
