import { countMindFailure, decideMindRun, type MindWatermark } from './decide-mind-run.js';

describe('decideMindRun', () => {
  it.each<[string, MindWatermark | null, object]>([
    ['there was no run yet', null, { run: true }],
    ['something has changed', { watermark: '7', failures: 0 }, { run: true }],
    ['nothing has changed', { watermark: '8', failures: 0 }, { run: false, reason: 'unchanged' }],
    ['two runs failed at this', { watermark: '8', failures: 2 }, { run: true }],
    ['three runs failed at this', { watermark: '8', failures: 3 }, { run: false, reason: 'failed' }],
    ['three runs failed at something else', { watermark: '7', failures: 3 }, { run: true }],
  ])('decides where %s', (_case, stored, decision) => {
    expect(decideMindRun('8', stored)).toEqual(decision);
  });

  it('lets a run that always fails try three times at each watermark', () => {
    let stored: MindWatermark | null = null;
    const tried: string[] = [];
    for (const watermark of ['8', '8', '8', '8', '9', '9', '9', '9', '8']) {
      if (!decideMindRun(watermark, stored).run) continue;
      tried.push(watermark);
      stored = countMindFailure(watermark, stored);
    }
    expect(tried.join(' ')).toBe('8 8 8 9 9 9 8');
  });
});
