import { ManualClock } from '@annals/domain';
import { Debounce } from './debounce.js';

describe('debouncing', () => {
  const open = () => {
    const clock = new ManualClock();
    const due: string[] = [];
    return { clock, due, debounce: new Debounce(clock, { quietMs: 500, maxMs: 3_000 }, (key) => void due.push(key)) };
  };

  it('calls once, when it was quiet', () => {
    const { clock, due, debounce } = open();
    debounce.touch('a');
    clock.advance(499);
    debounce.touch('a');
    clock.advance(499);
    expect(due).toEqual([]);
    clock.advance(1);
    expect(due).toEqual(['a']);
    clock.advance(10_000);
    expect(due).toEqual(['a']);
    expect(clock.waiting).toBe(0);
  });

  it('does not wait for ever while it is never quiet', () => {
    const { clock, due, debounce } = open();
    for (let ms = 0; ms < 7_000; ms += 100) {
      debounce.touch('a');
      clock.advance(100);
    }
    expect(due).toEqual(['a', 'a']);
  });

  it('keeps keys apart, and ends', () => {
    const { clock, due, debounce } = open();
    debounce.touch('a');
    clock.advance(300);
    debounce.touch('b');
    clock.advance(200);
    expect(due).toEqual(['a']);
    debounce.stop();
    clock.advance(10_000);
    expect([due, clock.waiting]).toEqual([['a'], 0]);
  });
});
