import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { BatchEntity } from './batch.entity.js';

/** A paid answer that could not be parsed, stored until its batch has a valid answer. */
@Entity('call_answers')
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'call_answers_tenant_id_batch_id_fkey',
})
@Index('call_answers_by_batch', ['tenant_id', 'batch_id'])
export class CallAnswerEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  call_id: string;

  @Column({ type: 'uuid' })
  batch_id: string;

  @Column({ type: 'text', nullable: true })
  user_id: string | null;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'text' })
  answer: string;

  @Column({ type: 'text' })
  problem: string;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
