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
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  batch_id: string | null;

  @Column({ type: 'text', nullable: true })
  user_id: string | null;

  @Column({ type: 'text' })
  operation: CallOperation;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'integer' })
  input_tokens: number;

  @Column({ type: 'integer' })
  output_tokens: number;

  @Column({ type: 'bigint' })
  cost_micro_usd: string;

  @Column({ type: 'boolean' })
  estimated: boolean;

  @Column({ type: 'date' })
  day: string;

  @Column({ type: 'timestamptz' })
  ts: Date;

  @Column({ type: 'integer', nullable: true })
  generation: number | null;

  @Column({ type: 'text', default: 'ok' })
  outcome: CallOutcome;

  @Column({ type: 'integer', default: 0 })
  cache_read_tokens: number;

  @Column({ type: 'integer', default: 0 })
  cache_write_tokens: number;

  @Column({ type: 'integer', nullable: true })
  duration_ms: number | null;
}
