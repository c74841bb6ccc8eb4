import { createPause } from './event-loop.js';

describe('createPause', () => {
  it('resumes one waiting worker in each turn, in their order', async () => {
    const turns: (() => void)[] = [];
    const pause = createPause((run) => turns.push(run));
    const resumed: string[] = [];
    const work = async (name: string, slices: number) => {
      for (let slice = 1; slice <= slices; slice += 1) {
        await pause();
        resumed.push(`${name}${slice}`);
      }
    };
    const workers = Promise.all([work('a', 3), work('b', 1), work('c', 2)]);
    for (let turn = 1; turns.length > 0; turn += 1) {
      expect(turns).toHaveLength(1);
      turns.shift()!();
      await Promise.resolve();
      await Promise.resolve();
      expect(resumed).toHaveLength(turn);
    }
    await workers;
    expect(resumed).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('lets the event loop turn between two slices', async () => {
    const pause = createPause(setImmediate);
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await pause();
    order.push('slice');
    expect(order).toEqual(['other work', 'slice']);
  });
});
