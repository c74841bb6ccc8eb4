import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MemoryEntity } from './memory.entity.js';
import { MessageEntity } from './message.entity.js';
import { TenantColumn } from './tenant-column.js';

/** The message that a memory is based on, with the quoted text. A snapshot: it outlives the batch. */
@Entity('memory_sources')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'memory_sources_tenant_id_memory_id_fkey',
})
@ForeignKey(() => MessageEntity, ['tenant_id', 'message_id'], ['tenant_id', 'id'], {
  name: 'memory_sources_tenant_id_message_id_fkey',
})
@Index('memory_sources_by_message', ['tenant_id', 'message_id'])
@Index('memory_sources_by_thread', ['tenant_id', 'user_id', 'thread_id', 'memory_id'])
export class MemorySourceEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') memory_id: string;
  @PrimaryColumn('uuid') message_id: string;
  @Column('uuid') conversation_id: string;
  @Column('text') user_id: string;
  @Column('text') thread_id: string;
  @Column('text', { nullable: true }) agent_id: string | null;
  @Column('text', { nullable: true }) run_id: string | null;
  @Column('text', { nullable: true }) actor_id: string | null;
  @Column('text', { nullable: true }) app_id: string | null;
  @Column('text') role: string;
  @Column('text') quote: string;
  @Column('timestamptz') said_at: Date;
  @Column('uuid', { nullable: true }) batch_id: string | null;
}
