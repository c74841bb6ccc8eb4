import type { JsonValue } from '@annals/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Periodic work of the fleet that belongs to no tenant. */
@Entity('maintenance_jobs')
export class MaintenanceJobEntity {
  @PrimaryColumn('text') name: string;
  @Column('timestamptz') due_at: Date;
  @Column('uuid', { nullable: true }) leased_by: string | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('jsonb', { nullable: true }) cursor: JsonValue | null;
  @Column('timestamptz', { nullable: true }) completed_at: Date | null;
  @Column('bigint', { default: 0 }) runs: string;
  @Column('bigint', { default: 0 }) done: string;
  @Column('integer', { default: 0 }) failures: number;
  @Column('text', { nullable: true }) last_error: string | null;
  @Column('timestamptz', { nullable: true }) failed_at: Date | null;
}
