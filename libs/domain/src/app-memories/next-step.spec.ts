import { type AppMemoryFailure, type AppMemoryTask, nextAppMemoryStep } from './next-step.js';

describe('nextAppMemoryStep', () => {
  it.each<[AppMemoryTask, AppMemoryFailure, string]>([
    ['creation', 'llm_error', 'skip'],
    ['creation', 'timeout', 'skip'],
    ['creation', 'database_error', 'retry skip skip'],
    ['creation', 'invalid_answer', 'correct skip skip'],
    ['compaction', 'llm_error', 'remove_oldest'],
    ['compaction', 'timeout', 'remove_oldest'],
    ['compaction', 'database_error', 'retry remove_oldest remove_oldest'],
    ['compaction', 'invalid_answer', 'correct remove_oldest remove_oldest'],
    ['removal', 'database_error', 'retry wait wait'],
  ])('of %s after %s: %s', (task, failure, steps) => {
    const expected = steps.split(' ');
    expect(expected.map((_step, at) => nextAppMemoryStep(task, failure, at + 1))).toEqual(expected);
  });
});
