import { listRecentActivity } from './list-recent-activity.js';

const DAY = 86_400_000;
const now = 100 * DAY;
const turn = (threadId: string, seq: number, daysAgo: number) => ({ threadId, seq, saidAt: now - daysAgo * DAY });
const summary = (threadId: string, toSeq: number, daysAgo: number) => {
  return { threadId, toSeq, lastSaidAt: now - daysAgo * DAY };
};
const list = (
  summaries: readonly ReturnType<typeof summary>[],
  turns: readonly ReturnType<typeof turn>[],
  limit = 30,
) =>
  listRecentActivity(summaries, turns, { now, limit }).map((entry) =>
    'toSeq' in entry ? `${entry.threadId} to ${entry.toSeq}` : `${entry.threadId} ${entry.seq}`,
  );

describe('listRecentActivity', () => {
  it('lists summaries, and turns that they do not cover, newest first', () => {
    const turns = [turn('a', 1, 3), turn('a', 2, 2), turn('a', 3, 1), turn('b', 1, 1.5)];
    expect(list([summary('a', 2, 2)], turns)).toEqual(['a 3', 'b 1', 'a to 2']);
  });

  it('leaves out what is older than seven days, and what is from the future', () => {
    expect(list([summary('a', 2, 7.1), summary('b', 2, 7)], [turn('c', 1, 8), turn('d', 1, -1)])).toEqual(['b to 2']);
  });

  it('keeps to the limit, and orders equal times the same way each time', () => {
    const turns = [turn('b', 1, 1), turn('a', 1, 1), turn('a', 2, 1)];
    expect(list([], turns, 2)).toEqual(['a 2', 'a 1']);
    expect(list([], turns.toReversed(), 2)).toEqual(['a 2', 'a 1']);
    expect(list([], [])).toEqual([]);
  });
});
