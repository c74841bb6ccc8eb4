import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** The newest version of a thread's saved states. */
@Entity('checkpoints')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'checkpoints_tenant_id_user_id_fkey',
})
export class CheckpointEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('text') thread_id: string;
  @Column('integer') version: number;
  @Column('integer') oldest_version: number;
  @Column('integer') whole_version: number;
  @Column('integer') whole_bytes: number;
  @Column('integer') delta_bytes: number;
  @Column('integer') bytes: number;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}

/** One saved state of a thread: in full, or as a delta to the version before. */
@Entity('checkpoint_versions')
export class CheckpointVersionEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('text') thread_id: string;
  @PrimaryColumn('integer') version: number;
  @Column('integer') whole_version: number;
  @Column('bytea') body: Buffer;
  @Column('timestamptz') saved_at: Date;
}
