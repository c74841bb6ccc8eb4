import type { ExtractedItem } from '@annals/contracts';
import type { StoredDecision } from '@annals/domain';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';

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
  items: ExtractedItem[];

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'text', nullable: true })
  prompt_version: string | null;

  @Column({ type: 'jsonb', nullable: true })
  diagnostics: unknown;
}

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
  decisions: StoredDecision[] | null;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
