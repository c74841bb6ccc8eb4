import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';

/** One message, redacted. Services never change it. */
@Entity('messages')
@Check('messages_role_check', "role IN ('user', 'assistant', 'system', 'tool')")
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'messages_tenant_id_batch_id_fkey',
})
@Unique('messages_tenant_id_conversation_id_seq_key', ['tenant_id', 'conversation_id', 'seq'])
@Index('messages_by_batch', ['tenant_id', 'batch_id', 'seq'])
@Index('messages_by_external_id', { synchronize: false })
export class MessageEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid' })
  conversation_id: string;

  @Column({ type: 'uuid' })
  batch_id: string;

  @Column({ type: 'integer' })
  seq: number;

  @Column({ type: 'text', nullable: true })
  external_id: string | null;

  @Column({ type: 'text' })
  role: 'user' | 'assistant' | 'system' | 'tool';

  @Column({ type: 'text', nullable: true })
  actor_id: string | null;

  @Column({ type: 'text', nullable: true })
  agent_id: string | null;

  @Column({ type: 'text', nullable: true })
  run_id: string | null;

  @Column({ type: 'text', nullable: true })
  app_id: string | null;

  @Column({ type: 'text' })
  content: string;

  @Column({ type: 'bytea', nullable: true })
  content_hmac: Buffer | null;

  @Column({ type: 'timestamptz' })
  said_at: Date;

  @Column({ type: 'timestamptz' })
  received_at: Date;

  @Column({ type: 'timestamptz', nullable: true })
  hidden_at: Date | null;
}
