import { CALL_OPERATIONS, type CallOperation } from '@annals/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** The maximum cost of a call that is about to be made or is running. */
@Entity('reservations')
@Check('reservations_operation_check', `operation IN ('${CALL_OPERATIONS.join("', '")}')`)
@Check('reservations_amount_micro_usd_check', 'amount_micro_usd >= 0')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'reservations_tenant_id_fkey' })
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'reservations_tenant_id_batch_id_fkey',
})
@Index('reservations_by_expiry', ['expires_at'])
@Index('reservations_by_day', ['day', 'id'])
export class ReservationEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { nullable: true }) batch_id: string | null;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text') operation: CallOperation;
  @Column('text') provider: string;
  @Column('text') model: string;
  @Column('bigint') amount_micro_usd: string;
  @Column('date') day: string;
  @Column('bigint', { nullable: true }) fence: string | null;
  @Column('integer', { nullable: true }) generation: number | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
}

/**
 * Outcome of a call: `ok`, a type of the error taxonomy (docs/reference/model-calls.md#error-types), `aborted` by us,
 * or `lost` when its worker died.
 */
const CALL_OUTCOMES = [
  'ok',
  'rate_limit',
  'timeout',
  'authentication',
  'invalid_request',
  'parsing',
  'budget_exceeded',
  'policy',
  'transient',
  'unknown',
  'lost',
  'aborted',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Tokens and cost of one call of a provider, under the id of its reservation. */
@Entity('usage')
@Check('usage_operation_check', `operation IN ('${CALL_OPERATIONS.join("', '")}')`)
@Check('usage_outcome_check', `outcome IN ('${CALL_OUTCOMES.join("', '")}')`)
@Index('usage_by_batch', { synchronize: false })
@Index('usage_by_call', { synchronize: false })
@Index('usage_by_day', { synchronize: false })
@Index('usage_by_user', { synchronize: false })
export class UsageEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('uuid', { nullable: true }) batch_id: string | null;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text') operation: CallOperation;
  @Column('text') provider: string;
  @Column('text') model: string;
  @Column('integer') input_tokens: number;
  @Column('integer') output_tokens: number;
  @Column('bigint') cost_micro_usd: string;
  @Column('boolean') estimated: boolean;
  @Column('date') day: string;
  @Column('timestamptz') ts: Date;
  @Column('integer', { nullable: true }) generation: number | null;
  @Column('text', { default: 'ok' }) outcome: CallOutcome;
  @Column('integer', { default: 0 }) cache_read_tokens: number;
  @Column('integer', { default: 0 }) cache_write_tokens: number;
  @Column('integer', { nullable: true }) duration_ms: number | null;
}
