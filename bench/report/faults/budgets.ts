import type { ApiClient } from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './load/book.ts';
import type { Caller } from './load/caller.ts';
import type { Tenant } from './load/population.ts';

export const BUDGETS = ['deployment', 'provider claude', 'tenant 0'] as const;
export type BudgetName = (typeof BUDGETS)[number];

/** A limit that held until it was raised. Times in epoch ms. */
export interface HeldLimit {
  readonly budget: BudgetName;
  readonly limitMicroUsd: number;
  /** When its raise was sent: everything before was spent under this limit. */
  readonly untilMs: number;
}

/** More than one call can cost: a budget with less than this left refuses calls. */
const REST_MICRO_USD = 6_000;
const POLL_MS = 1_000;
const ENOUGH_MICRO_USD = 1_000_000_000;

interface SteppedBudgetsOptions {
  readonly steps: Readonly<Record<BudgetName, number>>;
  readonly holdMs: number;
  /** Counts the raises of budgets that bound. */
  readonly book: Book;
}

interface Spending {
  readonly spent: number;
  readonly reserved: number;
}

/**
 * Budgets that are small, bind, hold the work back for a time and are raised by as much again. A limit is never lowered,
 * so that at any time no more may be spent than the limit of that time.
 */
export class SteppedBudgets {
  readonly held: HeldLimit[] = [];
  private readonly limits: Record<BudgetName, number>;
  private readonly boundSince = new Map<BudgetName, number>();
  private readonly raises: Readonly<Record<BudgetName, (limit: number) => Promise<unknown>>>;
  private readonly operator: ApiClient;
  private readonly tenant: Tenant;
  private readonly caller: Caller;
  private readonly options: SteppedBudgetsOptions;
  private isStopped = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(operator: ApiClient, tenant: Tenant, caller: Caller, options: SteppedBudgetsOptions) {
    this.operator = operator;
    this.tenant = tenant;
    this.caller = caller;
    this.options = options;
    this.limits = { ...options.steps };
    const setDeployment = (body: { deployment: number } | { claude: number }) =>
      caller.must('other', operator, 'putDeploymentBudgets', { body });
    this.raises = {
      deployment: (deployment) => setDeployment({ deployment }),
      'provider claude': (claude) => setDeployment({ claude }),
      'tenant 0': (daily_limit_micro_usd) =>
        caller.must('other', tenant.client, 'putBudget', { body: { daily_limit_micro_usd } }),
    };
  }

  /** Sets the first limits, before anything is spent. */
  async start(): Promise<void> {
    for (const budget of BUDGETS) await this.raises[budget](this.limits[budget]);
    this.loop = this.watch();
    // `stop` rejects with this error.
    this.loop.catch(() => undefined);
  }

  /** Ends the steps and lets all that waits be paid for. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loop;
    for (const budget of BUDGETS) await this.raise(budget, ENOUGH_MICRO_USD);
  }

  private async watch(): Promise<void> {
    while (!this.isStopped) {
      const spending = await this.read();
      for (const budget of BUDGETS) {
        const { spent, reserved } = spending[budget];
        if (spent + reserved < this.limits[budget] - REST_MICRO_USD) continue;
        const since = this.boundSince.get(budget) ?? performance.now();
        this.boundSince.set(budget, since);
        if (performance.now() - since < this.options.holdMs) continue;
        this.options.book.count('budgets raised');
        await this.raise(budget, Math.max(spent, this.limits[budget]) + this.options.steps[budget]);
      }
      await sleep(POLL_MS);
    }
  }

  private async raise(budget: BudgetName, limit: number): Promise<void> {
    this.held.push({ budget, limitMicroUsd: this.limits[budget], untilMs: Date.now() });
    this.limits[budget] = limit;
    this.boundSince.delete(budget);
    await this.raises[budget](limit);
  }

  private async read(): Promise<Record<BudgetName, Spending>> {
    const { deployment, providers } = await this.caller.must('other', this.operator, 'getDeploymentBudgets', {});
    const tenant = await this.caller.must('other', this.tenant.client, 'getBudget', {});
    const toSpending = (budget: { spent_micro_usd: number; reserved_micro_usd: number }): Spending => ({
      spent: budget.spent_micro_usd,
      reserved: budget.reserved_micro_usd,
    });
    return {
      deployment: toSpending(deployment),
      'provider claude': toSpending(providers.claude),
      'tenant 0': toSpending(tenant),
    };
  }
}
