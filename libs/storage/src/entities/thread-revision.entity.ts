import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** Number of changes of the memories of a thread. */
@Entity('thread_revisions')
export class ThreadRevisionEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @PrimaryColumn({ type: 'text' })
  thread_id: string;

  @Column({ type: 'bigint' })
  rev: string;
}
