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
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') batch_id: string;
  @Column('text') user_id: string;
  @Column('text') provider: string;
  @Column('text') model: string;
  @Column('text', { nullable: true }) answer: string | null;
  @Column('jsonb') items: ExtractedItem[];
  @Column('timestamptz') created_at: Date;
  @Column('text', { nullable: true }) prompt_version: string | null;
  @Column('jsonb', { nullable: true }) diagnostics: unknown;
}

/** A paid answer that could not be parsed, stored until its batch has a valid answer. */
@Entity('call_answers')
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'call_answers_tenant_id_batch_id_fkey',
})
@Index('call_answers_by_batch', ['tenant_id', 'batch_id'])
export class CallAnswerEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') call_id: string;
  @Column('uuid') batch_id: string;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text') provider: string;
  @Column('text') model: string;
  @Column('text') answer: string;
  @Column('text') problem: string;
  @Column('timestamptz') created_at: Date;
}

/** A model's decisions about a batch's new statements and their neighbours. */
@Entity('reconciliations')
@Index('reconciliations_by_user', ['tenant_id', 'user_id'])
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'reconciliations_tenant_id_batch_id_fkey',
})
export class ReconciliationEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') batch_id: string;
  @PrimaryColumn('smallint') round: number;
  @Column('text') user_id: string;
  @Column('text') provider: string;
  @Column('text') model: string;
  @Column('text') prompt_version: string;
  @Column('jsonb') shown: unknown;
  @Column('text') answer: string;
  @Column('jsonb', { nullable: true }) decisions: StoredDecision[] | null;
  @Column('timestamptz') created_at: Date;
}
