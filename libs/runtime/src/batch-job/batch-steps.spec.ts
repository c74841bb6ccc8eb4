import type { BatchEnding } from './batch-stage.js';
import { BatchSteps } from './batch-steps.js';

describe('BatchSteps', () => {
  let executed: string[];
  beforeEach(() => {
    executed = [];
  });
  const note = <T>(name: string, output: T): T => {
    executed.push(name);
    return output;
  };
  const done = () => Promise.resolve<BatchEnding>(note('last', { ends: 'done' }));
  const release = (name: string) => async (_output: unknown, ending: BatchEnding | undefined) => {
    note(`release ${name}: ${ending?.ends ?? 'error'}`, null);
  };

  it('gives every step what the steps before it returned', async () => {
    const ending = await BatchSteps.from({ start: 1 })
      .step('second', ({ start }) => Promise.resolve(start + 1))
      .step('third', ({ start, second }) => [start, second])
      .end(async ({ third }) => ({ ends: 'delayed', delayMs: third.length }));
    expect(ending).toEqual({ ends: 'delayed', delayMs: 2 });
  });

  it('executes no step after one that ends the run', async () => {
    const ending = await BatchSteps.from({})
      .step('first', () => note('first', 1))
      .step('second', () => note('second', { ends: 'superseded' } as const))
      .step('third', () => note('third', 3))
      .end(done);
    expect(ending).toEqual({ ends: 'superseded' });
    expect(executed).toEqual(['first', 'second']);
  });

  it.each([
    [
      'the last step',
      null,
      ['first', 'second', 'last', 'ended: done', 'release second: stale', 'release first: stale'],
    ],
    [
      'an earlier one',
      { ends: 'superseded' } as const,
      ['first', 'second', 'ended: superseded', 'release first: stale'],
    ],
  ])('handles the ending of %s in one place, then releases outputs in reverse order', async (_which, early, order) => {
    const onEnding = async ({ ends }: BatchEnding): Promise<BatchEnding> => note(`ended: ${ends}`, { ends: 'stale' });
    const ending = await BatchSteps.from({})
      .step('first', () => note('first', 1), release('first'))
      .step('second', () => note('second', early), release('second'))
      .end(done, onEnding);
    expect(ending).toEqual({ ends: 'stale' });
    expect(executed).toEqual(order);
  });

  it('releases outputs when a later step throws, and passes the error on', async () => {
    const failing = BatchSteps.from({})
      .step('first', () => 1, release('first'))
      .step('second', () => {
        throw new Error('x');
      })
      .end(done);
    await expect(failing).rejects.toThrow('x');
    expect(executed).toEqual(['release first: error']);
  });
});
