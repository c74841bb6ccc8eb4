import type { Coordination } from '@annals/coordination';
import { SeededRng } from '@annals/domain';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import type { Row } from '../frame/row.ts';
import { DailyBudget } from './bench-coordination.ts';

const CALLERS = 64;
const MAX_CALL_COST_MICRO_USD = 5_000;
/** Some hundred calls per caller. */
const LIMIT = 32_000_000;
/** One call in this number is never settled, as by a worker that died. */
const ABANDONED_ONE_IN = 8;

/**
 * Target T12 (docs/reference/performance-targets.md#t12-overhead-of-budget-reservations): 64 callers spend a whole
 * budget, in calls that reserve random amounts and cost a random part of them.
 */
export async function proveExactness({ ids, tenantId }: BenchEnvironment, { budgets }: Coordination): Promise<Row> {
  const budget = await DailyBudget.open(budgets, '2020-01-02', LIMIT);
  const rng = new SeededRng(13);
  const randomUpTo = (most: number) => 1 + Math.floor(rng.nextFloat() * most);
  let [spent, reserved, calls] = [0, 0, 0];
  const spend = async () => {
    for (;;) {
      const [id, amount] = [ids.next(), randomUpTo(MAX_CALL_COST_MICRO_USD)];
      if (!(await budget.reserve(tenantId, id, amount))) return;
      calls += 1;
      if (randomUpTo(ABANDONED_ONE_IN) === 1) {
        reserved += amount;
        continue;
      }
      const cost = randomUpTo(amount);
      await budget.settle(tenantId, id, cost);
      spent += cost;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, spend));
  const { spentMicroUsd, reservedMicroUsd } = await budget.read();
  const overshoot = Math.max(0, spent + reserved - LIMIT);
  const drift = Math.abs(spentMicroUsd - spent) + Math.abs(reservedMicroUsd - reserved);
  return {
    id: 'T12',
    what: `${CALLERS} callers spend a budget: above it, or off the store's sums`,
    value: overshoot + drift,
    unit: 'micro-USD',
    target: { text: '= 0', met: overshoot + drift === 0 },
    details: { calls, spent, reserved, limit: LIMIT },
  };
}
