import type { Coordination } from '@annals/coordination';
import { SeededRng } from '@annals/domain';
import type { BenchPlace } from '../frame/place.ts';
import type { Row } from '../frame/row.ts';
import { BudgetOfDay } from './gate-place.ts';

const CALLERS = 64;
const LARGEST_CALL = 5_000;
/** Some hundred calls of each caller. */
const LIMIT = 32_000_000;
/** One call in so many stays open, as of a worker that died. */
const STAYS_OPEN = 8;

/** T12: 64 callers spend a budget to its end, in calls of chance amounts that cost some part of what they reserved. */
export async function proveExactness({ ids, tenantId }: BenchPlace, { budgets }: Coordination): Promise<Row> {
  const budget = await BudgetOfDay.open(budgets, '2020-01-02', LIMIT);
  const rng = new SeededRng(13);
  const draw = (most: number) => 1 + Math.floor(rng.nextFloat() * most);
  let [spent, held, calls] = [0, 0, 0];
  const spend = async () => {
    for (;;) {
      const [id, amount] = [ids.next(), draw(LARGEST_CALL)];
      if (!(await budget.reserve(tenantId, id, amount))) return;
      calls += 1;
      if (draw(STAYS_OPEN) === 1) {
        held += amount;
        continue;
      }
      const cost = draw(amount);
      await budget.settle(tenantId, id, cost);
      spent += cost;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, spend));
  const { spentMicroUsd, heldMicroUsd } = await budget.read();
  const overshoot = Math.max(0, spent + held - LIMIT);
  const drift = Math.abs(spentMicroUsd - spent) + Math.abs(heldMicroUsd - held);
  return {
    id: 'T12',
    what: `${CALLERS} callers spend a budget: above it, or off the store's sums`,
    value: overshoot + drift,
    unit: 'micro-USD',
    target: { text: '= 0', met: overshoot + drift === 0 },
    details: { calls, spent, held, limit: LIMIT },
  };
}
