import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';

/** A model's decisions about a batch's new statements and their neighbours. */
@Entity('reconciliations')
@Index('reconciliations_by_user', ['tenant_id', 'user_id'])
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'reconciliations_tenant_id_batch_id_fkey',
})
export class ReconciliationEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  batch_id: string;

  @PrimaryColumn({ type: 'smallint' })
  round: number;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'text' })
  prompt_version: string;

  @Column({ type: 'jsonb' })
  shown: unknown;

  @Column({ type: 'text' })
  answer: string;

  @Column({ type: 'jsonb', nullable: true })
  decisions: unknown;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
