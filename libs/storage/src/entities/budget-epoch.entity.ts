import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often the coordination store's figures of a day were made anew from the ledger. */
@Entity('budget_epochs')
export class BudgetEpochEntity {
  @PrimaryColumn({ type: 'date' })
  day: string;

  @Column({ type: 'integer' })
  epoch: number;
}
