import { ManualClock } from '@annals/domain';
import { waitUntil } from '@annals/testing';
import { Notices } from './notices.js';

describe('notices of changes', () => {
  const open = (send: (key: string) => Promise<void>) => {
    const clock = new ManualClock();
    const sent: string[] = [];
    const failures: unknown[] = [];
    const notices = new Notices({
      clock,
      retry: { firstMs: 1_000, maxMs: 4_000 },
      async send(key, by) {
        await send(key);
        sent.push(`${key} ${by}`);
      },
      onFailed: (error) => void failures.push(error),
    });
    const waits = () => waitUntil(() => clock.waiting === 1, { describe: 'it waits before the next try' });
    return { clock, sent, failures, notices, waits };
  };

  it('are tried again until they succeed, one of all while nothing can be passed on', async () => {
    const tried: string[] = [];
    const { clock, sent, failures, notices, waits } = open(async (key) => {
      if (tried.push(key) <= 3) throw new Error('The database is away.');
    });
    for (const key of ['a', 'b', 'a', 'c']) notices.add(key, 'event');
    for (const [at, delayMs] of [1_000, 2_000, 4_000].entries()) {
      await waits();
      notices.add('b', 'scan');
      clock.advance(delayMs - 1);
      expect(tried).toHaveLength(at + 1);
      clock.advance(1);
    }
    await waitUntil(() => sent.length === 3, { describe: 'all are passed on' });
    expect(sent.toSorted()).toEqual(['a event', 'b event', 'c event']);
    // What failed was tried again behind the others.
    expect(new Set(tried.slice(0, 3)).size).toBeGreaterThan(1);
    expect(failures).toHaveLength(1);
  });

  it('are not repeated after the end, and none is begun', async () => {
    const { clock, sent, notices, waits } = open(() => Promise.reject(new Error('The database is away.')));
    notices.add('a', 'event');
    await waits();
    await notices.stop();
    notices.add('b', 'event');
    clock.advance(100_000);
    expect([sent, clock.waiting]).toEqual([[], 0]);
  });
});
