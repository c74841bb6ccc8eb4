import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of this installation: everything else belongs to one. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn({ type: 'uuid' })
  tenant_id: string;

  @Column({ type: 'text', unique: true })
  name: string;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
