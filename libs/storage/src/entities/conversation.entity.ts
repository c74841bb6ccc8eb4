import type { SummaryKind } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** One thread of one user. */
@Entity('conversations')
@Check('conversations_kind_check', "kind IN ('conversation', 'journal', 'document')")
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'conversations_tenant_id_user_id_fkey',
})
@Index('conversations_by_update', { synchronize: false })
@Unique('conversations_tenant_id_user_id_thread_id_key', ['tenant_id', 'user_id', 'thread_id'])
export class ConversationEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') user_id: string;
  @Column('text') thread_id: string;
  @Column('text', { nullable: true }) agent_id: string | null;
  @Column('text', { nullable: true }) run_id: string | null;
  @Column('text', { nullable: true }) app_id: string | null;
  @Column('integer', { default: 0 }) message_count: number;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  @Column('timestamptz', { nullable: true }) ended_at: Date | null;
  @Column('text', { default: 'conversation' }) kind: SummaryKind;
  @Column('integer', { default: 0 }) deletions: number;
  @Column('timestamptz', { nullable: true }) memories_injected_at: Date | null;
}
