import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The cost of deleted tenants' calls on a day. */
@Entity('departed_spend')
@Check('departed_spend_cost_micro_usd_check', 'cost_micro_usd >= 0')
export class DepartedSpendEntity {
  @PrimaryColumn({ type: 'date' })
  day: string;

  @PrimaryColumn({ type: 'text' })
  provider: string;

  @Column({ type: 'bigint' })
  cost_micro_usd: string;
}
