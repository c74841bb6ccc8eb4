import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** An API key of one tenant; only its hash is stored. */
@Entity('api_keys')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'api_keys_tenant_id_fkey' })
@Index('api_keys_by_hash', ['key_hash'])
export class ApiKeyEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'bytea' })
  key_hash: Buffer;

  @Column({ type: 'text' })
  prefix: string;

  @Column({ type: 'text', array: true })
  scopes: string[];

  @Column({ type: 'boolean', default: false })
  operator: boolean;

  @Column({ type: 'text', nullable: true })
  agent_id: string | null;

  @Column({ type: 'text', nullable: true })
  user_id: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  categories: string[] | null;

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'timestamptz', nullable: true })
  expires_at: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revoked_at: Date | null;
}

/** A key of the installation that belongs to no tenant and manages tenants. */
@Entity('operator_keys')
export class OperatorKeyEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'bytea', unique: true })
  key_hash: Buffer;

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'timestamptz', nullable: true })
  revoked_at: Date | null;
}
