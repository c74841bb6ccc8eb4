import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A daily limit that all tenants share and that was set at run time: the deployment's, or a provider's. */
@Entity('deployment_budgets')
@Check('deployment_budgets_scope_check', "scope IN ('deployment', 'provider')")
@Check('deployment_budgets_daily_limit_micro_usd_check', 'daily_limit_micro_usd >= 0')
export class DeploymentBudgetEntity {
  @PrimaryColumn({ type: 'text' })
  scope: 'deployment' | 'provider';

  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'bigint' })
  daily_limit_micro_usd: string;

  @Column({ type: 'timestamptz' })
  updated_at: Date;
}
