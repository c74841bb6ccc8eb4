import { type BudgetStore, type Coordination, createRedisCoordination } from '@annals/coordination';
import { SystemRng } from '@annals/domain';
import type { BenchEnvironment } from '../frame/bench-environment.ts';

export const PROVIDER = 'openai';
export const MODEL = 'stub';
const EPOCH = 1;

/** The coordination of `libs/coordination` on the environment's Redis. */
export function openBenchCoordination(environment: BenchEnvironment): Coordination {
  const keyPrefix = `${environment.queuePrefix}-coordination`;
  return createRedisCoordination({ redis: environment.redisUrl, rng: new SystemRng(), keyPrefix });
}

/** The budgets of one day, with the same limit in all three scopes. */
export class DailyBudget {
  private readonly budgets: BudgetStore;
  private readonly day: string;
  private readonly limit: number;

  private constructor(budgets: BudgetStore, day: string, limit: number) {
    this.budgets = budgets;
    this.day = day;
    this.limit = limit;
  }

  /** Nothing is spent at first. `day` must be in the past or future, so that nothing else uses it. */
  static async open(budgets: BudgetStore, day: string, limit: number): Promise<DailyBudget> {
    const spent = { spentByTenant: new Map<string, number>(), spentByProvider: new Map<string, number>() };
    await budgets.load({ day, epoch: EPOCH, ...spent, reservations: [] });
    if (!(await budgets.activate(day, EPOCH))) throw new Error('The store did not activate the day.');
    return new DailyBudget(budgets, day, limit);
  }

  async reserve(tenantId: string, reservationId: string, amountMicroUsd: number): Promise<boolean> {
    const { day, limit } = this;
    const limits = { deployment: limit, tenant: limit, provider: limit };
    const reservation = { reservationId, day, tenantId, provider: PROVIDER };
    const { outcome } = await this.budgets.reserve({ ...reservation, amountMicroUsd, limits, epoch: EPOCH });
    if (outcome === 'stale') throw new Error('The store has lost the day.');
    return outcome === 'admitted';
  }

  async settle(tenantId: string, reservationId: string, costMicroUsd: number): Promise<void> {
    const reservation = { reservationId, day: this.day, tenantId, provider: PROVIDER };
    const { outcome } = await this.budgets.settle({ ...reservation, costMicroUsd });
    if (outcome !== 'settled') throw new Error('The store has lost a reservation.');
  }

  async read() {
    const { deployment } = (await this.budgets.read(this.day, {})) ?? {};
    if (!deployment) throw new Error('The store has lost the day.');
    return deployment;
  }
}
