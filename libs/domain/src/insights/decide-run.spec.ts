import { decideInsightRun, INSIGHT_INTERVAL_MS, type InsightState } from './decide-run.js';

const NOW = 10 * INSIGHT_INTERVAL_MS;
const CHANGED: InsightState = {
  isOn: true,
  watermark: '8',
  lastWatermark: '7',
  failures: 0,
  lastRunAt: NOW - INSIGHT_INTERVAL_MS,
};

describe('decideInsightRun', () => {
  it.each<[string, Partial<InsightState>, object]>([
    ['something has changed and a day has passed', {}, { run: true }],
    ['there was no run yet', { lastWatermark: null, lastRunAt: null }, { run: true }],
    ['insights are off', { isOn: false }, { run: false, reason: 'off' }],
    ['nothing has changed', { lastWatermark: '8' }, { run: false, reason: 'unchanged' }],
    [
      'the last run is a millisecond too recent',
      { lastRunAt: NOW - INSIGHT_INTERVAL_MS + 1 },
      { run: false, reason: 'recent', until: NOW + 1 },
    ],
    ['the last run failed twice on the same data', { lastWatermark: '8', failures: 2 }, { run: true }],
    ['it failed three times on the same data', { lastWatermark: '8', failures: 3 }, { run: false, reason: 'failed' }],
    ['it failed three times on other data', { failures: 3 }, { run: true }],
  ])('decides where %s', (_case, state, decision) => {
    expect(decideInsightRun({ ...CHANGED, ...state }, NOW)).toEqual(decision);
  });

  it('asks a failing provider three times, then nothing until something changes', () => {
    let state: InsightState = { ...CHANGED, lastRunAt: null };
    const asked: string[] = [];
    for (const watermark of ['8', '8', '8', '8', '8', '9', '9', '9', '9']) {
      state = { ...state, watermark };
      if (!decideInsightRun(state, NOW).run) continue;
      asked.push(watermark);
      const failures = watermark === state.lastWatermark ? state.failures + 1 : 1;
      state = { ...state, lastWatermark: watermark, failures };
    }
    expect(asked.join(' ')).toBe('8 8 8 9 9 9');
  });
});
