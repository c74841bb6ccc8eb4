import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** An API key of one tenant; only its hash is stored. */
@Entity('api_keys')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'api_keys_tenant_id_fkey' })
@Index('api_keys_by_hash', ['key_hash'])
export class ApiKeyEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('bytea') key_hash: Buffer;
  @Column('text') prefix: string;
  @Column('text', { array: true }) scopes: string[];
  @Column('boolean', { default: false }) operator: boolean;
  @Column('text', { nullable: true }) agent_id: string | null;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text', { array: true, nullable: true }) categories: string[] | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
}

/** A key of the installation that belongs to no tenant and manages tenants. */
@Entity('operator_keys')
export class OperatorKeyEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('bytea', { unique: true }) key_hash: Buffer;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
}
