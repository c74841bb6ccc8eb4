import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** What one step of a pipeline did, without personal content. */
@Entity('events')
@Check('events_status_check', "status IN ('ok', 'error', 'skipped')")
@Index('events_by_node', { synchronize: false })
@Index('events_by_time', { synchronize: false })
@Index('events_by_user', { synchronize: false })
export class EventEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text', { nullable: true }) thread_id: string | null;
  @Column('text') node: string;
  @Column('text') op: string;
  @Column('text') status: 'ok' | 'error' | 'skipped';
  @Column('uuid', { nullable: true }) memory_id: string | null;
  @Column('text', { nullable: true }) category: string | null;
  @Column('real', { nullable: true }) sim: number | null;
  @Column('timestamptz') ts: Date;
}
