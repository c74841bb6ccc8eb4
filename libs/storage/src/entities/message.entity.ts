import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';

/** One message, redacted. Services change nothing but `echo_of` and `evicted_at`. */
@Entity('messages')
@Check('messages_role_check', "role IN ('user', 'assistant', 'system', 'tool')")
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'messages_tenant_id_batch_id_fkey',
})
@Unique('messages_tenant_id_conversation_id_seq_key', ['tenant_id', 'conversation_id', 'seq'])
@Index('messages_by_batch', ['tenant_id', 'batch_id', 'seq'])
@Index('messages_by_external_id', { synchronize: false })
@Index('messages_forgotten', { synchronize: false })
@Index('messages_to_forget', { synchronize: false })
@Index('messages_with_echoes', { synchronize: false })
export class MessageEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') conversation_id: string;
  @Column('uuid') batch_id: string;
  @Column('integer') seq: number;
  @Column('text', { nullable: true }) external_id: string | null;
  @Column('text') role: 'user' | 'assistant' | 'system' | 'tool';
  @Column('text', { nullable: true }) actor_id: string | null;
  @Column('text', { nullable: true }) agent_id: string | null;
  @Column('text', { nullable: true }) run_id: string | null;
  @Column('text', { nullable: true }) app_id: string | null;
  @Column('text') content: string;
  @Column('bytea', { nullable: true }) content_hmac: Buffer | null;
  @Column('timestamptz') said_at: Date;
  @Column('timestamptz') received_at: Date;
  @Column('timestamptz', { nullable: true }) hidden_at: Date | null;
  @Column('timestamptz', { nullable: true }) evicted_at: Date | null;
  /** Memories that it repeats without being their source, and that have ended or were deleted at some time. */
  @Column('uuid', { array: true, nullable: true }) echo_of: string[] | null;
  /** When the one-time data in it is forgotten by itself. */
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  /** When it lost words for good; `content` is empty when it lost all. */
  @Column('timestamptz', { nullable: true }) forgotten_at: Date | null;
}
