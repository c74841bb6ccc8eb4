import { type CausedFault, measureImpacts } from './impact.ts';
import type { RequestSample } from './timeline.ts';

const FAULTS: CausedFault[] = [
  { name: 'redis-flush', atMs: 1_000, overMs: 1_000 },
  { name: 'postgres-kill', atMs: 5_000, overMs: 7_000 },
];
const sample = (atMs: number, over: Partial<RequestSample> = {}): RequestSample => ({
  atMs,
  kind: 'post',
  status: 202,
  ms: 0,
  ...over,
});

describe('the impact of a fault', () => {
  it('is what clients saw until the next fault', () => {
    const samples = [
      sample(500, { status: 503 }),
      sample(2_000),
      sample(3_000, { status: 503 }),
      sample(4_500),
      sample(5_500, { status: 0 }),
      sample(6_000, { kind: 'query', status: 200, ms: 70 }),
      sample(5_600, { ms: 2_400 }),
      sample(9_000),
    ];
    expect(measureImpacts(FAULTS, samples, 10_000)).toEqual([
      { repeated: 1, requests: 3, postGapMs: 2_500, queryP95Ms: null },
      { repeated: 1, requests: 4, postGapMs: 3_000, queryP95Ms: 70 },
    ]);
  });

  it('of a fault behind which no post is accepted lasts until the next one', () => {
    expect(measureImpacts(FAULTS, [], 10_000).map(({ postGapMs }) => postGapMs)).toEqual([4_000, 5_000]);
  });
});
