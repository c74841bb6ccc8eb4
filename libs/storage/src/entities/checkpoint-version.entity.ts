import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** One saved state of a thread: in full, or as a delta to the version before. */
@Entity('checkpoint_versions')
export class CheckpointVersionEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @PrimaryColumn({ type: 'text' })
  thread_id: string;

  @PrimaryColumn({ type: 'integer' })
  version: number;

  @Column({ type: 'integer' })
  whole_version: number;

  @Column({ type: 'bytea' })
  body: Buffer;

  @Column({ type: 'timestamptz' })
  saved_at: Date;
}
