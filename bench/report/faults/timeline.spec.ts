import { alignSeries, buildTimeline, countStatuses, type RequestSample } from './timeline.ts';

const sample = (atMs: number, over: Partial<RequestSample> = {}): RequestSample => ({
  atMs,
  kind: 'query',
  status: 200,
  ms: 10,
  ...over,
});

describe('the timeline of a run', () => {
  it('counts accepted posts, and errors that clients repeat, per second of each bucket', () => {
    const timeline = buildTimeline(
      [
        ...Array.from({ length: 10 }, (_, index) => sample(index * 400, { kind: 'post', status: 202 })),
        sample(100, { kind: 'post', status: 503 }),
        sample(6_000, { kind: 'post', status: 0 }),
        sample(6_000, { status: 429 }),
        sample(6_000, { status: 403 }),
      ],
      { bucketSeconds: 5, seconds: 10 },
    );
    expect(timeline).toMatchObject({ accepted: [2, 0], failed: [0.2, 0.2], unanswered: [0, 0.2] });
  });

  it('has percentiles of answered queries only, and none where none was answered', () => {
    const timeline = buildTimeline(
      [
        ...Array.from({ length: 100 }, (_, index) => sample(index, { ms: index })),
        sample(50, { ms: 9_999, status: 503 }),
        sample(50, { ms: 9_999, kind: 'post' }),
      ],
      { bucketSeconds: 1, seconds: 2 },
    );
    expect(timeline.queryP50).toEqual([50, null]);
    expect(timeline.queryP95).toEqual([95, null]);
  });

  it('leaves out what was sent behind its end', () => {
    const timeline = buildTimeline([sample(2_500)], { bucketSeconds: 1, seconds: 2 });
    expect(timeline.queryP50).toEqual([null, null]);
  });

  it('counts requests by their status', () => {
    expect(countStatuses([sample(0), sample(1), sample(2, { status: 0 })])).toEqual({ 200: 2, none: 1 });
  });

  it('takes over series of Prometheus, with gaps where it had no value', () => {
    const points = [
      [1_000, 1],
      [1_010, 3],
      [1_015, Number.NaN],
      [2_000, 9],
    ] as const;
    expect(alignSeries(points, { startSeconds: 1_000, bucketSeconds: 5, count: 4 })).toEqual([1, null, 3, null]);
  });
});
