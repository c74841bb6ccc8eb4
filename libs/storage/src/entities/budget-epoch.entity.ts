import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often the budget counters of a day were rebuilt from the ledger. */
@Entity('budget_epochs')
export class BudgetEpochEntity {
  @PrimaryColumn({ type: 'date' })
  day: string;

  @Column({ type: 'integer' })
  epoch: number;
}
