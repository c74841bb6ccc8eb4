import { PERSONAL_ID_POLICIES, type PersonalIdPolicy, WRITING_CHECKS, type WritingChecks } from '@annals/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of this installation: everything else belongs to one. */
@Entity('tenants')
@Check('tenants_personal_ids_check', `personal_ids IN ('${PERSONAL_ID_POLICIES.join("', '")}')`)
@Check('tenants_writing_checks_check', `writing_checks IN ('${WRITING_CHECKS.join("', '")}')`)
export class TenantEntity {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { unique: true }) name: string;
  @Column('timestamptz') created_at: Date;
  /** Null: as configured for the installation. */
  @Column('text', { nullable: true }) default_country: string | null;
  /** Null: as configured for the installation. */
  @Column('text', { nullable: true }) personal_ids: PersonalIdPolicy | null;
  /** One half of the key of its pseudonyms, from its first use on; the other half is a secret of the installation. */
  @Column('uuid', { nullable: true }) pseudonym_salt: string | null;
  /** Fingerprint of that key, from its first use on. */
  @Column('text', { nullable: true }) pseudonym_check: string | null;
  /** Null: as configured for the installation. */
  @Column('text', { nullable: true }) writing_checks: WritingChecks | null;
}
