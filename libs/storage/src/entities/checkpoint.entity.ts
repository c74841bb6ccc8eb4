import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** The newest version of a thread's saved states. */
@Entity('checkpoints')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'checkpoints_tenant_id_user_id_fkey',
})
export class CheckpointEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @PrimaryColumn({ type: 'text' })
  thread_id: string;

  @Column({ type: 'integer' })
  version: number;

  @Column({ type: 'integer' })
  oldest_version: number;

  @Column({ type: 'integer' })
  whole_version: number;

  @Column({ type: 'integer' })
  whole_bytes: number;

  @Column({ type: 'integer' })
  delta_bytes: number;

  @Column({ type: 'integer' })
  bytes: number;

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'timestamptz' })
  updated_at: Date;
}

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
