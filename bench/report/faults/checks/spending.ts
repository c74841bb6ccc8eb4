import { BUDGETS, type BudgetName, type HeldLimit } from '../budgets.ts';

/** Money that was spent at one time. */
export interface Spent {
  readonly tenant: number;
  readonly provider: string;
  readonly microUsd: number;
  /** Epoch ms. */
  readonly at: number;
  /** The UTC day that it is charged to, `YYYY-MM-DD`: each has the whole budget again. */
  readonly day: string;
}

/** What was spent under one limit until the limit was raised, of the day that spent most. */
export interface LimitUse {
  readonly budget: BudgetName;
  readonly limitMicroUsd: number;
  readonly spentMicroUsd: number;
}

const IS_OF: Readonly<Record<BudgetName, (spent: Spent) => boolean>> = {
  deployment: () => true,
  'provider claude': ({ provider }) => provider === 'claude',
  'tenant 0': ({ tenant }) => tenant === 0,
};

/** The most that was spent from a budget in a day, until each of its limits was raised. */
export function sumUntilRaised(spent: readonly Spent[], held: readonly HeldLimit[]): LimitUse[] {
  return held.map(({ budget, limitMicroUsd, untilMs }) => ({
    budget,
    limitMicroUsd,
    spentMicroUsd: sumOfDay(spent.filter((each) => each.at < untilMs && IS_OF[budget](each))),
  }));
}

export function findOverspent(uses: readonly LimitUse[], whose: string): string[] {
  return uses
    .filter(({ limitMicroUsd, spentMicroUsd }) => spentMicroUsd > limitMicroUsd)
    .map(
      ({ budget, limitMicroUsd, spentMicroUsd }) =>
        `${whose}: ${spentMicroUsd} micro-USD of ${budget}, whose limit was ${limitMicroUsd}`,
    );
}

/** Budgets of which the provider has charged more than the ledger records. */
export function findUnrecorded(charges: readonly Spent[], ledger: readonly Spent[]): string[] {
  return BUDGETS.flatMap((budget) => {
    const charged = sumOf(charges.filter(IS_OF[budget]));
    const recorded = sumOf(ledger.filter(IS_OF[budget]));
    return charged > recorded ? [`${budget}: charged ${charged}, in the ledger ${recorded} micro-USD`] : [];
  });
}

/** Of the day with the largest sum. */
function sumOfDay(spent: readonly Spent[]): number {
  return Math.max(0, ...[...Map.groupBy(spent, ({ day }) => day).values()].map(sumOf));
}

export function sumOf(spent: readonly Spent[]): number {
  return spent.reduce((sum, { microUsd }) => sum + microUsd, 0);
}
