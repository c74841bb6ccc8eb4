import type { LangGraphStoreOperation } from '@annals/contracts';
import { planSteps } from './plan-steps.js';

const get = (key: string): LangGraphStoreOperation => ({ op: 'get', namespace: ['n'], key, refresh_ttl: false });
const put = (key: string): LangGraphStoreOperation => ({ op: 'put', namespace: ['n'], key, value: {}, index: false });
const remove = (key: string): LangGraphStoreOperation => ({ op: 'delete', namespace: ['n'], key });
const count: LangGraphStoreOperation = { op: 'statistics' };

/** The places of the reads and of the writes of each step. */
const plan = (...operations: LangGraphStoreOperation[]) =>
  planSteps(operations).map(({ gets, searches, writes }) => [
    [...gets, ...searches].map(({ place }) => place).toSorted((one, other) => one - other),
    writes.map(({ place }) => place),
  ]);

describe('planSteps', () => {
  it('takes one step for operations that do not see each other', () => {
    expect(plan(get('a'), put('b'), get('c'), put('d'), remove('e'))).toEqual([
      [
        [0, 2],
        [1, 3, 4],
      ],
    ]);
    expect(plan(count, get('a'), put('a'))).toEqual([[[0, 1], [2]]]);
  });

  it('begins a step for a read that would see a write', () => {
    expect(plan(put('a'), get('a'))).toEqual([
      [[], [0]],
      [[1], []],
    ]);
    expect(plan(put('a'), count, put('b'), get('a'))).toEqual([
      [[], [0]],
      [[1, 3], [2]],
    ]);
  });

  it('keeps the last write of each place, and begins a step for a put behind a deletion', () => {
    expect(plan(put('a'), put('a'), put('b'), put('a'), remove('b'))).toEqual([[[], [3, 4]]]);
    expect(plan(remove('a'), put('a'))).toEqual([
      [[], [0]],
      [[], [1]],
    ]);
  });
});
