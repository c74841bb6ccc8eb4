import type { Coordination } from '@annals/coordination';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { atMost, type Row } from '../frame/row.ts';
import { runInterleaved } from '../frame/run-interleaved.ts';
import { openBareBudget } from './bare-budget.ts';
import { DailyBudget } from './bench-coordination.ts';

const CALLERS = [1, 16, 64];
const AMOUNT = 3_000;
const COST = 1_000;
/** Never reached. */
const LIMIT = 2 ** 50;

/**
 * Target T12 (docs/reference/performance-targets.md#t12-overhead-of-budget-reservations): reserve and settle compared
 * with the bare script, interleaved.
 */
export async function measureBudget(
  environment: BenchEnvironment,
  { budgets }: Coordination,
  { quick }: { readonly quick: boolean },
): Promise<Row[]> {
  const { ids, tenantId, clock } = environment;
  const bare = await openBareBudget(environment.redisUrl, environment.queuePrefix, () => clock.now());
  const budget = await DailyBudget.open(budgets, '2020-01-01', LIMIT);
  const sides = {
    ping: () => bare.ping(),
    bare: async () => {
      const id = ids.next();
      const isAdmitted = await bare.reserve(id, AMOUNT, LIMIT);
      if (!isAdmitted || !(await bare.settle(id, COST))) throw new Error('The bare budget lost a reservation.');
    },
    ours: async () => {
      const id = ids.next();
      if (!(await budget.reserve(tenantId, id, AMOUNT))) throw new Error('The budget was spent.');
      await budget.settle(tenantId, id, COST);
    },
  };
  const rows: Row[] = [];
  for (const callers of CALLERS) {
    const count = (callers === 1 ? 1_000 : 8_000) / (quick ? 4 : 1);
    const measured = await runInterleaved(sides, { callers, rounds: quick ? 3 : 7, count });
    rows.push(...describe(measured, callers));
  }
  await bare.close();
  return rows;
}

type MeasuredSides = Awaited<ReturnType<typeof runInterleaved<'ping' | 'bare' | 'ours'>>>;

function describe({ ping, bare, ours }: MeasuredSides, callers: number): Row[] {
  const label = `${callers} ${callers === 1 ? 'caller' : 'callers'}`;
  const { p50 } = ours.latency;
  return [
    {
      id: 'T12',
      what: `reserve + settle, ${label}: p50`,
      value: p50,
      unit: 'ms',
      raw: { what: 'bare script', value: bare.latency.p50 },
      ...(callers === 1 && { target: atMost(p50, 0.5, '<= 0.5 ms') }),
      details: { ours: ours.latency, bare: bare.latency, ping: ping.latency },
    },
    {
      id: 'T12',
      what: `reserve + settle, ${label}: pairs`,
      value: ours.perSecond,
      unit: '/s',
      raw: { what: 'bare script /s', value: bare.perSecond },
    },
  ];
}
