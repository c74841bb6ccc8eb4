import { Check, Column, Entity, ForeignKey } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** A tenant's daily limit that was set at run time. */
@Entity('budgets')
@Check('budgets_daily_limit_micro_usd_check', 'daily_limit_micro_usd >= 0')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'budgets_tenant_id_fkey' })
export class BudgetEntity {
  @TenantColumn()
  tenant_id: string;

  @Column({ type: 'bigint' })
  daily_limit_micro_usd: string;

  @Column({ type: 'timestamptz' })
  updated_at: Date;
}
