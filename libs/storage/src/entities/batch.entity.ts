import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ConversationEntity } from './conversation.entity.js';
import { TenantColumn } from './tenant-column.js';

/** The unit of extraction: up to 50 messages of one conversation, with the state and results of their processing. */
@Entity('batches')
@Check('batches_state_check', "state IN ('queued', 'extracting', 'persisting', 'done', 'deferred', 'failed')")
@Check('batches_deferred_reason_check', "deferred_reason IN ('budget_exceeded', 'circuit_open')")
@Check('batches_priority_check', "priority IN ('interactive', 'bulk')")
@ForeignKey(() => ConversationEntity, ['tenant_id', 'conversation_id'], ['tenant_id', 'id'], {
  name: 'batches_tenant_id_conversation_id_fkey',
})
@Index('batches_by_conversation', ['tenant_id', 'conversation_id', 'id'])
@Index('batches_deferred', { synchronize: false })
@Index('batches_failed', { synchronize: false })
@Index('batches_by_finish', { synchronize: false })
@Index('batches_one_open', { synchronize: false })
@Index('batches_unindexed', { synchronize: false })
export class BatchEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') conversation_id: string;
  @Column('text') user_id: string;
  @Column('text') state: 'queued' | 'extracting' | 'persisting' | 'done' | 'deferred' | 'failed';
  @Column('integer') message_count: number;
  @Column('timestamptz', { nullable: true }) sealed_at: Date | null;
  @Column('integer', { default: 1 }) generation: number;
  @Column('bigint', { default: 0 }) fence: string;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 1 }) revision: number;
  @Column('integer', { default: 0 }) inserted: number;
  @Column('integer', { default: 0 }) updated: number;
  @Column('integer', { default: 0 }) skipped_duplicate: number;
  @Column('integer', { default: 0 }) quarantined: number;
  @Column('text', { nullable: true }) provider: string | null;
  @Column('text', { nullable: true }) model: string | null;
  @Column('text', { nullable: true }) notice: string | null;
  @Column('integer', { default: 0 }) input_tokens: number;
  @Column('integer', { default: 0 }) output_tokens: number;
  @Column('bigint', { default: 0 }) cost_micro_usd: string;
  @Column('text', { nullable: true }) error_code: string | null;
  @Column('text', { nullable: true }) error_message: string | null;
  @Column('text', { nullable: true }) trace: string | null;
  @Column('timestamptz') accepted_at: Date;
  @Column('timestamptz', { nullable: true }) started_at: Date | null;
  @Column('timestamptz', { nullable: true }) extracted_at: Date | null;
  @Column('timestamptz', { nullable: true }) finished_at: Date | null;
  @Column('timestamptz', { nullable: true }) deferred_until: Date | null;
  @Column('text', { nullable: true }) deferred_reason: 'budget_exceeded' | 'circuit_open' | null;
  @Column('bigint', { nullable: true }) shortfall_micro_usd: string | null;
  @Column('text', { default: 'interactive' }) priority: 'interactive' | 'bulk';
  @Column('integer', { default: 0 }) pruned_messages: number;
  @Column('timestamptz', { nullable: true }) indexed_at: Date | null;
}
