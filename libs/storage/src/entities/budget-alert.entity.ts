import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A reached budget threshold on a day: reported once, also across restarts. */
@Entity('budget_alerts')
@Check('budget_alerts_scope_check', "scope IN ('deployment', 'tenant', 'provider')")
export class BudgetAlertEntity {
  @PrimaryColumn({ type: 'date' })
  day: string;

  @PrimaryColumn({ type: 'text' })
  scope: 'deployment' | 'tenant' | 'provider';

  @PrimaryColumn({ type: 'text' })
  scope_id: string;

  @PrimaryColumn({ type: 'smallint' })
  threshold: number;

  @Column({ type: 'timestamptz' })
  fired_at: Date;
}
