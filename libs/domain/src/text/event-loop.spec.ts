import { createPauses, type Pause } from './event-loop.js';

/** Runs workers one turn after another. Returns the names of their slices in the order in which they were resumed. */
async function runTurns(start: (work: (pause: Pause, name: string, slices: number) => void) => void, of: TestPauses) {
  const resumed: string[] = [];
  start(async (pause, name, slices) => {
    for (let slice = 1; slice <= slices; slice += 1) {
      await pause();
      resumed.push(`${name}${slice}`);
    }
  });
  for (let turn = 1; of.turns.length > 0; turn += 1) {
    expect(of.turns).toHaveLength(1);
    of.turns.shift()!();
    await Promise.resolve();
    await Promise.resolve();
    expect(resumed).toHaveLength(turn);
  }
  return resumed;
}

function createTestPauses() {
  const turns: (() => void)[] = [];
  return { turns, ...createPauses((run) => turns.push(run)) };
}
type TestPauses = ReturnType<typeof createTestPauses>;

describe('createPauses', () => {
  it('resumes one waiting worker in each turn, in their order', async () => {
    const pauses = createTestPauses();
    const resumed = await runTurns((work) => {
      work(pauses.pause, 'a', 3);
      work(pauses.pause, 'b', 1);
      work(pauses.pause, 'c', 2);
    }, pauses);
    expect(resumed).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('gives work inside of a transaction every other turn, however many wait outside', async () => {
    const pauses = createTestPauses();
    const resumed = await runTurns((work) => {
      for (const name of 'abcdefgh') work(pauses.pause, name, 5);
      work(pauses.pauseInTransaction, 'tx', 10);
    }, pauses);
    expect(resumed).toHaveLength(50);
    expect(resumed.indexOf('tx10')).toBeLessThan(2 * 10);
    expect(resumed.slice(0, 6)).toEqual(['tx1', 'a1', 'tx2', 'b1', 'tx3', 'c1']);
  });

  it('holds up neither kind, however many there are of the other', async () => {
    const pauses = createTestPauses();
    const resumed = await runTurns((work) => {
      for (const name of 'abcdefgh') work(pauses.pauseInTransaction, name, 5);
      work(pauses.pause, 'post', 10);
    }, pauses);
    expect(resumed).toHaveLength(50);
    expect(resumed.indexOf('post10')).toBeLessThan(2 * 10 + 1);
  });

  it('lets the event loop turn between two slices', async () => {
    const { pause } = createPauses(setImmediate);
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await pause();
    order.push('slice');
    expect(order).toEqual(['other work', 'slice']);
  });
});
