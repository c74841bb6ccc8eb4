import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** The values that a person has allowed to be known about them. */
@Entity('user_contexts')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'user_contexts_tenant_id_user_id_fkey',
})
export class UserContextEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @Column({ type: 'uuid' })
  id: string;

  @Column({ type: 'integer' })
  revision: number;

  @Column({ type: 'jsonb' })
  fields: unknown;

  @Column({ type: 'timestamptz' })
  updated_at: Date;
}
