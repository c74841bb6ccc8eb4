import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** A thread of LangGraph, of one user. */
@Entity('langgraph_threads')
@Unique('langgraph_threads_thread_id', ['tenant_id', 'thread_id'])
@Index('langgraph_threads_by_user', ['tenant_id', 'user_id', 'thread_id'])
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'langgraph_threads_tenant_id_user_id_fkey',
})
export class LangGraphThreadEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') thread_key: string;
  @Column('text') thread_id: string;
  @Column('text') user_id: string;
  @Column('timestamptz') created_at: Date;
}

/** A checkpoint namespace of a thread: the graph itself, or a subgraph. */
@Entity('langgraph_namespaces')
@Unique('langgraph_namespaces_checkpoint_ns', ['tenant_id', 'thread_key', 'checkpoint_ns'])
export class LangGraphNamespaceEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') namespace_key: string;
  @Column('uuid') thread_key: string;
  @Column('text') checkpoint_ns: string;
  @Column('integer') seq: number;
  @Column('integer') whole_seq: number;
  @Column('integer') whole_bytes: number;
  @Column('integer') delta_bytes: number;
  @Column('integer') bytes: number;
  @Column('timestamptz') updated_at: Date;
}

/** One stored state of a namespace: in full, or as a delta to the state before. */
@Entity('langgraph_checkpoints')
@Index('langgraph_checkpoints_by_id', ['tenant_id', 'namespace_key', 'checkpoint_id'], {
  unique: true,
  where: '(checkpoint_id IS NOT NULL)',
})
export class LangGraphCheckpointEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') namespace_key: string;
  @PrimaryColumn('integer') seq: number;
  @Column('integer') whole_seq: number;
  @Column({ type: 'text', nullable: true, collation: 'C' }) checkpoint_id: string | null;
  @Column({ type: 'text', nullable: true, collation: 'C' }) parent_id: string | null;
  @Column('jsonb') metadata: object;
  @Column('text', { nullable: true, array: true }) replayed_channels: string[] | null;
  @Column('integer') bytes: number;
  @Column('bytea') body: Buffer;
  @Column('timestamptz') saved_at: Date;
}

/** What a task has written for the checkpoint behind the one that is named. */
@Entity('langgraph_writes')
export class LangGraphWriteEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') namespace_key: string;
  @PrimaryColumn({ type: 'text', collation: 'C' }) checkpoint_id: string;
  @PrimaryColumn({ type: 'text', collation: 'C' }) task_id: string;
  @PrimaryColumn('integer') idx: number;
  @Column({ type: 'text', collation: 'C' }) task_path: string;
  @Column('text') channel: string;
  @Column('text') type: string;
  @Column('bytea') body: Buffer;
}

/** A login of PostgreSQL that may save checkpoints of its tenant. */
@Entity('langgraph_logins')
@Unique('langgraph_logins_login', ['login'])
@Check('langgraph_logins_max_bytes', 'max_bytes > 0')
export class LangGraphLoginEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') login: string;
  /** Of a state. */
  @Column('integer') max_bytes: number;
  @Column('timestamptz') added_at: Date;
}
