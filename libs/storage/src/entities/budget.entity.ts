import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** A tenant's daily limit that was set at run time. */
@Entity('budgets')
@Check('budgets_daily_limit_micro_usd_check', 'daily_limit_micro_usd >= 0')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'budgets_tenant_id_fkey' })
export class BudgetEntity {
  @TenantColumn() tenant_id: string;
  @Column('bigint') daily_limit_micro_usd: string;
  @Column('timestamptz') updated_at: Date;
}

/** A daily limit that all tenants share and that was set at run time: the deployment's, or a provider's. */
@Entity('deployment_budgets')
@Check('deployment_budgets_scope_check', "scope IN ('deployment', 'provider')")
@Check('deployment_budgets_daily_limit_micro_usd_check', 'daily_limit_micro_usd >= 0')
export class DeploymentBudgetEntity {
  @PrimaryColumn('text') scope: 'deployment' | 'provider';
  @PrimaryColumn('text') id: string;
  @Column('bigint') daily_limit_micro_usd: string;
  @Column('timestamptz') updated_at: Date;
}

/** How often the budget counters of a day were rebuilt from the ledger. */
@Entity('budget_epochs')
export class BudgetEpochEntity {
  @PrimaryColumn('date') day: string;
  @Column('integer') epoch: number;
}

/** A reached budget threshold on a day: reported once, also across restarts. */
@Entity('budget_alerts')
@Check('budget_alerts_scope_check', "scope IN ('deployment', 'tenant', 'provider')")
export class BudgetAlertEntity {
  @PrimaryColumn('date') day: string;
  @PrimaryColumn('text') scope: 'deployment' | 'tenant' | 'provider';
  @PrimaryColumn('text') scope_id: string;
  @PrimaryColumn('smallint') threshold: number;
  @Column('timestamptz') fired_at: Date;
}

/** The cost of deleted tenants' calls on a day. */
@Entity('departed_spend')
@Check('departed_spend_cost_micro_usd_check', 'cost_micro_usd >= 0')
export class DepartedSpendEntity {
  @PrimaryColumn('date') day: string;
  @PrimaryColumn('text') provider: string;
  @Column('bigint') cost_micro_usd: string;
}
