import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** One row once there was a vault: until when its changes are asked for. */
@Entity('vault_switch')
@Check('vault_switch_is_known_check', 'is_known')
export class VaultSwitchEntity {
  @PrimaryColumn('boolean', { default: true }) is_known: boolean;
  @Column('timestamptz') on_until: Date;
  @Column('uuid', { nullable: true }) vault_id: string | null;
  @Column('timestamptz', { nullable: true }) asked_at: Date | null;
}

/** Whose vault the transaction asks for when it commits. */
@Entity('vault_notes')
@Index('vault_notes_by_transaction', ['transaction_id', 'subject_id'])
export class VaultNoteEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('bigint') transaction_id: string;
  @Column('uuid') of_tenant: string;
  @Column('uuid') subject_id: string;
}

/** The folder of an erased user: that it is to be removed, and what was. `subject_id` was the user's in work. */
@Entity('vault_erasures')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'vault_erasures_tenant_id_fkey' })
@Index('vault_erasures_by_pseudonym', ['tenant_id', 'pseudonym'])
export class VaultErasureEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') subject_id: string;
  @Column('text') pseudonym: string;
  @Column('uuid', { nullable: true }) receipt_id: string | null;
  @Column('timestamptz') requested_at: Date;
  @Column('timestamptz', { nullable: true }) removed_at: Date | null;
  @Column('integer', { nullable: true }) files: number | null;
  @Column('integer', { nullable: true }) commits: number | null;
  @Column('bytea', { nullable: true }) signature: Buffer | null;
}
