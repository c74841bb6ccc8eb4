import type { JsonValue } from '@annals/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Periodic work of the fleet that belongs to no tenant. */
@Entity('maintenance_jobs')
export class MaintenanceJobEntity {
  @PrimaryColumn({ type: 'text' })
  name: string;

  @Column({ type: 'timestamptz' })
  due_at: Date;

  @Column({ type: 'uuid', nullable: true })
  leased_by: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  lease_until: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  cursor: JsonValue | null;

  @Column({ type: 'timestamptz', nullable: true })
  completed_at: Date | null;

  @Column({ type: 'bigint', default: 0 })
  runs: string;

  @Column({ type: 'bigint', default: 0 })
  done: string;

  @Column({ type: 'integer', default: 0 })
  failures: number;

  @Column({ type: 'text', nullable: true })
  last_error: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  failed_at: Date | null;
}
