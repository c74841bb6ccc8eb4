import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** What one step of a pipeline did, without personal content. */
@Entity('events')
@Check('events_status_check', "status IN ('ok', 'error', 'skipped')")
@Index('events_by_node', { synchronize: false })
@Index('events_by_time', { synchronize: false })
@Index('events_by_user', { synchronize: false })
export class EventEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text', nullable: true })
  user_id: string | null;

  @Column({ type: 'text', nullable: true })
  thread_id: string | null;

  @Column({ type: 'text' })
  node: string;

  @Column({ type: 'text' })
  op: string;

  @Column({ type: 'text' })
  status: 'ok' | 'error' | 'skipped';

  @Column({ type: 'uuid', nullable: true })
  memory_id: string | null;

  @Column({ type: 'text', nullable: true })
  category: string | null;

  @Column({ type: 'real', nullable: true })
  sim: number | null;

  @Column({ type: 'timestamptz' })
  ts: Date;
}
