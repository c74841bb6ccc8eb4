import { Column, Entity, PrimaryColumn } from 'typeorm';

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
