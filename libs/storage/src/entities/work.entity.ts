import { WORK_DEFERRAL_REASONS, type WorkDeferralReason, type WorkKind } from '@annals/contracts';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/**
 * Work of one kind about one subject, which waits in PostgreSQL, is in flight in a queue, or has failed. `subject_id` is
 * the id of a batch or `users.subject_id`. Claims, deferrals and failures of a batch are in the row of the batch.
 */
@Entity('work')
@Check('work_deferred_reason_check', `deferred_reason IN ('${WORK_DEFERRAL_REASONS.join("', '")}')`)
@Unique('work_tenant_id_subject_id_kind_key', ['tenant_id', 'subject_id', 'kind'])
@Index('work_claimed_ahead', { synchronize: false })
@Index('work_deferred', { synchronize: false })
@Index('work_due', { synchronize: false })
@Index('work_failed', { synchronize: false })
@Index('work_in_flight', { synchronize: false })
@Index('work_released', { synchronize: false })
@Index('work_scheduled', { synchronize: false })
@Index('work_waiting', { synchronize: false })
export class WorkEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') kind: WorkKind;
  @Column('uuid') subject_id: string;
  @Column('integer') generation: number;
  @Column('timestamptz') available_at: Date;
  @Column('timestamptz') rank_at: Date;
  @Column('timestamptz', { nullable: true }) leased_until: Date | null;
  @Column('timestamptz', { nullable: true }) released_at: Date | null;
  @Column('timestamptz', { nullable: true }) checked_at: Date | null;
  @Column('text', { nullable: true }) trace: string | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) claimed_until: Date | null;
  @Column('bigint', { default: 0 }) fence: string;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('text', { nullable: true }) deferred_reason: WorkDeferralReason | null;
  /** Set with a time to come; the lease that finds it due takes it away. */
  @Column('boolean', { default: false }) is_scheduled: boolean;
  @Column('timestamptz', { nullable: true }) failed_at: Date | null;
  @Column('text', { nullable: true }) failure_code: string | null;
}
