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
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid' })
  conversation_id: string;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'text' })
  state: 'queued' | 'extracting' | 'persisting' | 'done' | 'deferred' | 'failed';

  @Column({ type: 'integer' })
  message_count: number;

  @Column({ type: 'timestamptz', nullable: true })
  sealed_at: Date | null;

  @Column({ type: 'integer', default: 1 })
  generation: number;

  @Column({ type: 'bigint', default: 0 })
  fence: string;

  @Column({ type: 'timestamptz', nullable: true })
  lease_until: Date | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ type: 'integer', default: 1 })
  revision: number;

  @Column({ type: 'integer', default: 0 })
  inserted: number;

  @Column({ type: 'integer', default: 0 })
  updated: number;

  @Column({ type: 'integer', default: 0 })
  skipped_duplicate: number;

  @Column({ type: 'integer', default: 0 })
  quarantined: number;

  @Column({ type: 'text', nullable: true })
  provider: string | null;

  @Column({ type: 'text', nullable: true })
  model: string | null;

  @Column({ type: 'text', nullable: true })
  notice: string | null;

  @Column({ type: 'integer', default: 0 })
  input_tokens: number;

  @Column({ type: 'integer', default: 0 })
  output_tokens: number;

  @Column({ type: 'bigint', default: 0 })
  cost_micro_usd: string;

  @Column({ type: 'text', nullable: true })
  error_code: string | null;

  @Column({ type: 'text', nullable: true })
  error_message: string | null;

  @Column({ type: 'text', nullable: true })
  trace: string | null;

  @Column({ type: 'timestamptz' })
  accepted_at: Date;

  @Column({ type: 'timestamptz', nullable: true })
  started_at: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  extracted_at: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  finished_at: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  deferred_until: Date | null;

  @Column({ type: 'text', nullable: true })
  deferred_reason: 'budget_exceeded' | 'circuit_open' | null;

  @Column({ type: 'bigint', nullable: true })
  shortfall_micro_usd: string | null;

  @Column({ type: 'text', default: 'interactive' })
  priority: 'interactive' | 'bulk';

  @Column({ type: 'integer', default: 0 })
  pruned_messages: number;

  @Column({ type: 'timestamptz', nullable: true })
  indexed_at: Date | null;
}
