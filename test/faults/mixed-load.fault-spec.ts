import { TEST_SEED } from '@annals/testing';
import { type FaultRun, runFaults } from '../../bench/report/faults/run-faults.ts';
import { reportFigure } from './report.js';

/** How much it does in its time depends on the machine. Versions of checkpoints are read after the load. */
const ENOUGH = {
  messages: 11,
  'answers examined': 11,
  'statements in answers': 11,
  'checkpoints saved': 11,
  'people erased': 1,
  'posts sent again': 1,
  'statements said again': 1,
  'queries refused to bound keys': 1,
  'budgets raised': 1,
  'requests of webhooks answered badly': 1,
  'erasures told by webhooks': 1,
};

/** What `npm run report` does for half an hour with all faults (docs/report.md), with three of them. */
describe('all services under a mixed load with faults', () => {
  let run: FaultRun;
  beforeAll(async () => {
    run = await runFaults({
      seed: TEST_SEED,
      intervalMs: 6_000,
      faults: 3,
      names: ['kill persistence', 'redis-flush', 'model-reset'],
      perSecond: 12,
      tenants: 3,
      usersEach: 3,
      replicas: 1,
      budgetSteps: { deployment: 40_000, 'provider claude': 30_000, 'tenant 0': 12_000 },
      holdMs: 1_000,
      eraseEveryMs: 5_000,
      scrapeSeconds: 2,
      enough: ENOUGH,
    });
    reportFigure('mixed load, counts', JSON.stringify(run.counts));
    reportFigure('mixed load, answers', JSON.stringify(run.statuses));
    reportFigure('mixed load, money', JSON.stringify(run.money));
  });

  it(`lose, double, mix up and overspend nothing (seed ${TEST_SEED})`, () => {
    expect(run.verdicts.filter(({ found }) => found > 0)).toEqual([]);
  });

  it('have done enough of everything that a fault could have shown', () => {
    for (const done of [
      'messages',
      'answers examined',
      'statements in answers',
      'checkpoint versions read',
      'changes told by webhooks',
    ])
      expect(run.counts[done]).toBeGreaterThan(10);
    for (const done of ['people erased', 'posts sent again', 'statements said again', 'queries refused to bound keys'])
      expect(run.counts[done]).toBeGreaterThan(0);
    expect(run.faults.map(({ name }) => name).toSorted()).toEqual(['kill persistence', 'model-reset', 'redis-flush']);
    expect(run.money.charged).toBeGreaterThan(0);
    expect(run.money.limits.length).toBeGreaterThan(3);
  });

  it('are seen in the timeline of their clients and of Prometheus', () => {
    const sum = (values: readonly (number | null)[]) =>
      values.reduce<number>((total, value) => total + (value ?? 0), 0);
    expect(sum(run.clients.accepted)).toBeGreaterThan(0);
    expect(sum(run.clients.queryP95)).toBeGreaterThan(0);
    const recorded = Object.values(run.pipeline).flat();
    expect(recorded.some((value) => value !== null)).toBe(true);
    expect(run.pipeline.due).toHaveLength(run.clients.accepted.length);
  });
});
