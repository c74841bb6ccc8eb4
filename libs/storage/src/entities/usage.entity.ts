import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** Tokens and money spent on one call of a provider. */
@Entity('usage')
@Check('usage_operation_check', "operation IN ('extraction', 'embedding')")
@Index('usage_by_day', ['tenant_id', 'day'])
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
  operation: 'extraction' | 'embedding';

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
}
