import type { ChangeEvent } from '@annals/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** A change under one revision of a thread. */
@Entity('change_log')
@Check(
  'change_log_event_check',
  "event IN ('created', 'updated', 'merged', 'deleted', 'soft_deleted', 'restored', 'evicted')",
)
@Index('change_log_by_memory', ['tenant_id', 'memory_id'])
export class ChangeLogEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('text') thread_id: string;
  @PrimaryColumn('bigint') rev: string;
  @PrimaryColumn('integer') n: number;
  @Column('uuid') memory_id: string;
  @Column('text') event: ChangeEvent;
  @Column('text') category: string;
  @Column('jsonb', { default: {} }) meta: unknown;
  @Column('timestamptz') ts: Date;
}

/** Number of changes of the memories of a thread. */
@Entity('thread_revisions')
export class ThreadRevisionEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('text') thread_id: string;
  @Column('bigint') rev: string;
}
