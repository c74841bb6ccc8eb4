import type { Clock, Timer } from './clock.js';
import type { Rng } from './rng.js';

/** The machine's clocks: with `SystemRng`, the only code that may read time or randomness from the host. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonicNow(): number {
    return performance.now();
  }

  startTimer(ms: number, onDue: () => void): Timer {
    const timeout = setTimeout(onDue, ms).unref();
    return { restart: () => void timeout.refresh(), stop: () => clearTimeout(timeout) };
  }
}

/** The host's uniform generator. Good for jitter; never for secrets. */
export class SystemRng implements Rng {
  nextFloat(): number {
    return Math.random();
  }
}

/** `size` cryptographically strong random bytes. */
export function readSystemRandomBytes(size: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(size));
}
