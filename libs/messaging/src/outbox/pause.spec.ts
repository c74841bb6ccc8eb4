import { Pause } from './pause.js';

const LONG_MS = 600_000;

describe('Pause', () => {
  it('ends a sleep on a kick', async () => {
    const pause = new Pause();
    const slept = pause.sleep(LONG_MS);
    pause.kick();
    await expect(slept).resolves.toBeUndefined();
  });

  it('skips one sleep after a kick that came before it', async () => {
    const pause = new Pause();
    pause.kick();
    pause.kick();
    await pause.sleep(LONG_MS);
    let over = false;
    const second = pause.sleep(LONG_MS).then(() => (over = true));
    await new Promise(setImmediate);
    expect(over).toBe(false);
    pause.stop();
    await second;
  });

  it('ignores a kick during a rest, and skips the next sleep for it', async () => {
    vi.useFakeTimers();
    const pause = new Pause();
    let over = false;
    const rested = pause.rest(30).then(() => (over = true));
    pause.kick();
    await vi.advanceTimersByTimeAsync(29);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await rested;
    vi.useRealTimers();
    await expect(pause.sleep(LONG_MS)).resolves.toBeUndefined();
  });

  it('kicks later once for several calls, after the time of the first, and not after another kick', async () => {
    vi.useFakeTimers();
    const pause = new Pause();
    const ends: string[] = [];
    const sleep = (name: string) => pause.sleep(LONG_MS).then(() => ends.push(name));
    const first = sleep('first');
    pause.kickLater(250);
    await vi.advanceTimersByTimeAsync(200);
    pause.kickLater(250);
    await vi.advanceTimersByTimeAsync(49);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await first;

    pause.kickLater(250);
    pause.kick();
    await sleep('second');
    void sleep('third');
    await vi.advanceTimersByTimeAsync(250);
    expect(ends).toEqual(['first', 'second']);
    pause.kickLater(250);
    pause.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('ends every wait on a stop', async () => {
    const pause = new Pause();
    const rested = pause.rest(LONG_MS);
    pause.stop();
    await rested;
    await pause.rest(LONG_MS);
    await pause.sleep(LONG_MS);
    expect(pause.isStopped).toBe(true);
  });
});
