import type { CapacityResults, FaultResults } from '../results.ts';
import type { Verdict } from '../faults/checks/verdict.ts';
import { renderReport } from './write-report.ts';

const WHERE = {
  startedAt: '2026-11-28T03:40:00.000Z',
  commit: 'abcdef0123',
  machine: { node: 'v24.0.0', cpu: 'Tested CPU', cores: 2, memoryGb: 8, load1m: 0.5 },
  versions: { postgresql: '17.1', pgvector: '0.8.0', redis: 'Valkey 8.1.1' },
};
const verdict = (name: Verdict['name'], examples: readonly string[] = []): Verdict => ({
  name,
  examined: `all of ${name}`,
  found: examples.length,
  examples,
});

function makeFaults(verdicts: readonly Verdict[]): FaultResults {
  return {
    ...WHERE,
    seed: 77,
    minutes: 1,
    perSecond: 5,
    run: {
      verdicts,
      money: {
        charged: 1_000,
        ledger: 1_200,
        lostCalls: 1,
        calls: 10,
        limits: [{ budget: 'tenant 0', limitMicroUsd: 30_000, spentMicroUsd: 27_000 }],
      },
      seconds: 60,
      settledSeconds: 4,
      faults: [
        {
          name: 'postgres-kill',
          atMs: 12_000,
          overMs: 15_000,
          repeated: 3,
          requests: 90,
          postGapMs: 4_200,
          queryP95Ms: 80,
        },
      ],
      statuses: { 200: 80, 503: 3 },
      counts: { messages: 40 },
      clients: {
        bucketSeconds: 30,
        accepted: [1, 2],
        queryP50: [10, null],
        queryP95: [20, null],
        unanswered: [0, 1],
        failed: [0, 0],
      },
      pipeline: {
        remembered: [1, 2],
        due: [0, 3],
        oldestDueSeconds: [0, 1],
        modelCalls: [1, 1],
        budgetPercent: [50, 90],
      },
      deferrals: { budget_exceeded: 12 },
      mindRuns: { summary: 3 },
      alerts: ['AnnalsCircuitOpen'],
    },
  };
}

const STEP = { p50: 10, cores: 0.7, databaseCores: 0.4, rssMb: 150 };
const CAPACITY: CapacityResults = {
  ...WHERE,
  run: {
    rounds: 3,
    secondsEach: 2,
    piecesEach: 40,
    bareInserts: [4_000, 4_100],
    kinds: [
      {
        title: 'gateway, posts',
        unit: 'posts',
        limitMs: 100,
        work: 'a conversation is accepted',
        saturated: 410,
        steps: [
          { ...STEP, offered: 200, carried: 199, p95: 30 },
          { ...STEP, offered: 300, carried: 298, p95: 60 },
          { ...STEP, offered: 400, carried: 350, p95: 900 },
        ],
      },
    ],
  },
};

describe('the report', () => {
  it('says where, of what and with which seed it is, and that nothing was found', async () => {
    const { 'report.md': page } = await renderReport({ faults: makeFaults([verdict('lost'), verdict('foreign')]) });
    for (const text of [
      '2 cores (Tested CPU)',
      'PostgreSQL 17.1',
      'pgvector 0.8.0',
      'Valkey 8.1.1',
      'abcdef0123',
      'Seed 77',
    ])
      expect(page).toContain(text);
    expect(page).toContain('Nothing was lost, doubled, foreign or overspent');
    expect(page).toMatch(/Lost.* all of lost +\| 0/);
    expect(page).toContain('alerts.md#annalscircuitopen');
  });

  it('shows what was found', async () => {
    const { 'report.md': page } = await renderReport({ faults: makeFaults([verdict('lost', ['mark 7', 'mark 9'])]) });
    expect(page).toContain('**2 findings**');
    expect(page).toContain('lost: mark 9');
    expect(page).not.toContain('Nothing was lost');
  });

  it('states the knee of a process and what happens beyond it', async () => {
    const { 'report.md': page } = await renderReport({ capacity: CAPACITY });
    expect(page).toMatch(/gateway, posts +\| 300 posts +\| 410/);
    expect(page).toContain('At 400 posts a second it does 88 % of them while they come');
    expect(page).not.toContain('mixed load with a fault');
  });

  it('draws charts on white, small enough to be kept', async () => {
    const files = await renderReport({ faults: makeFaults([]), capacity: CAPACITY });
    for (const name of ['images/report/faults.svg', 'images/report/capacity.svg']) {
      expect(files[name]).toMatch(/^<svg [^>]*>/);
      expect(files[name]).toContain('fill="#ffffff"');
      expect(files[name]!.length).toBeLessThan(100_000);
    }
  });

  it('is the same for the same results', async () => {
    const results = { faults: makeFaults([verdict('lost')]), capacity: CAPACITY };
    expect(await renderReport(results)).toEqual(await renderReport(results));
  });
});
