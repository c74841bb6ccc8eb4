import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of this installation: everything else belongs to one. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { unique: true }) name: string;
  @Column('timestamptz') created_at: Date;
}
