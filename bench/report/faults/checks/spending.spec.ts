import type { HeldLimit } from '../budgets.ts';
import { findOverspent, findUnrecorded, type Spent, sumUntilRaised } from './spending.ts';

const spend = (at: number, microUsd: number, over: Partial<Spent> = {}): Spent => ({
  at,
  microUsd,
  day: '2026-01-05',
  tenant: 0,
  provider: 'claude',
  ...over,
});

describe('what was spent under limits that were raised', () => {
  const held: HeldLimit[] = [
    { budget: 'deployment', limitMicroUsd: 10, untilMs: 100 },
    { budget: 'deployment', limitMicroUsd: 30, untilMs: 200 },
    { budget: 'tenant 0', limitMicroUsd: 8, untilMs: 200 },
    { budget: 'provider claude', limitMicroUsd: 12, untilMs: 200 },
  ];
  const within = [spend(50, 6), spend(60, 4, { tenant: 1, provider: 'openai' }), spend(150, 2), spend(250, 1_000)];

  it('counts what was spent before each raise, from the budgets that it belongs to', () => {
    const uses = sumUntilRaised(within, held);
    expect(uses.map(({ spentMicroUsd }) => spentMicroUsd)).toEqual([10, 12, 8, 8]);
    expect(findOverspent(uses, 'ledger')).toEqual([]);
  });

  it('finds a budget of which one micro-dollar too much was spent before its raise', () => {
    expect(findOverspent(sumUntilRaised([...within, spend(99, 1, { tenant: 1 })], held), 'ledger')).toEqual([
      'ledger: 11 micro-USD of deployment, whose limit was 10',
    ]);
    expect(findOverspent(sumUntilRaised([...within, spend(199, 1)], held), 'ledger')).toEqual([
      'ledger: 9 micro-USD of tenant 0, whose limit was 8',
    ]);
  });

  it('counts each day for itself, under a limit that held at midnight', () => {
    const next = [spend(80, 9, { tenant: 1, provider: 'openai', day: '2026-01-06' })];
    const uses = sumUntilRaised([...within, ...next], held);
    expect(uses.map(({ spentMicroUsd }) => spentMicroUsd)).toEqual([10, 12, 8, 8]);
    const tooMuch = [...next, spend(90, 2, { tenant: 1, provider: 'openai', day: '2026-01-06' })];
    expect(findOverspent(sumUntilRaised([...within, ...tooMuch], held), 'ledger')).toEqual([
      'ledger: 11 micro-USD of deployment, whose limit was 10',
    ]);
  });

  it('finds charges that the ledger does not have', () => {
    expect(findUnrecorded(within, within)).toEqual([]);
    expect(findUnrecorded(within, within.slice(0, -1))).toEqual([
      'deployment: charged 1012, in the ledger 12 micro-USD',
      'provider claude: charged 1008, in the ledger 8 micro-USD',
      'tenant 0: charged 1008, in the ledger 8 micro-USD',
    ]);
  });
});
