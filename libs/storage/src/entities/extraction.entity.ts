import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { BatchEntity } from './batch.entity.js';

/** A provider's answer for a batch, stored until persistence has written it. */
@Entity('extractions')
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'extractions_tenant_id_batch_id_fkey',
})
export class ExtractionEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  batch_id: string;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'text', nullable: true })
  answer: string | null;

  @Column({ type: 'jsonb' })
  items: unknown;

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'text', nullable: true })
  prompt_version: string | null;

  @Column({ type: 'jsonb', nullable: true })
  diagnostics: unknown;
}
