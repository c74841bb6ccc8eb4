import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ConversationEntity } from './conversation.entity.js';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** Only the active ones are shown. */
export type AppMemoryState = 'pending' | 'active' | 'superseded' | 'removed';

/** An app that is installed (docs/reference/app-memories.md#apps). */
@Entity('apps')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'apps_tenant_id_fkey' })
export class AppEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') app_id: string;
  @Column('text') name: string;
  @Column('boolean', { default: false }) is_shared: boolean;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}

/** What an app remembers of a conversation, and of those that were merged into it. */
@Entity('app_memories')
@Check('app_memories_state_check', "state IN ('pending', 'active', 'superseded', 'removed')")
@ForeignKey(() => ConversationEntity, ['tenant_id', 'conversation_id'], ['tenant_id', 'id'], {
  name: 'app_memories_tenant_id_conversation_id_fkey',
})
@Index('app_memories_active', { synchronize: false })
@Index('app_memories_pending', { synchronize: false })
@Index('app_memories_replaced', { synchronize: false })
@Index('app_memories_by_app', ['tenant_id', 'app_id', 'id'])
@Index('app_memories_by_user', ['tenant_id', 'user_id', 'id'])
@Index('app_memories_by_conversation', ['tenant_id', 'conversation_id'])
export class AppMemoryEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') app_id: string;
  @Column('text') user_id: string;
  @Column('uuid') conversation_id: string;
  @Column('integer') as_of_seq: number;
  @Column('text') content: string;
  @Column('text') state: AppMemoryState;
  @Column('uuid', { nullable: true }) replaced_by: string | null;
  @Column('text') provider: string;
  @Column('text', { nullable: true }) model: string | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}

/** A message that an app memory rests on. */
@Entity('app_memory_sources')
@ForeignKey(() => AppMemoryEntity, ['tenant_id', 'app_memory_id'], ['tenant_id', 'id'], {
  name: 'app_memory_sources_tenant_id_app_memory_id_fkey',
  onDelete: 'CASCADE',
})
@Index('app_memory_sources_by_conversation', ['tenant_id', 'conversation_id', 'app_memory_id'])
@Index('app_memory_sources_by_user', ['tenant_id', 'user_id', 'app_memory_id'])
export class AppMemorySourceEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') app_memory_id: string;
  @PrimaryColumn('uuid') message_id: string;
  @Column('uuid') conversation_id: string;
  @Column('text') user_id: string;
}
