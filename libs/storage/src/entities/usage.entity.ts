import { CALL_OPERATIONS, type CallOperation } from '@annals/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CALL_OUTCOMES, type CallOutcome } from '../ledger/call-outcomes.js';
import { TenantColumn } from './tenant-column.js';

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
