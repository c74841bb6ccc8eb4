import { setTimeout as pause } from 'node:timers/promises';

/** Time and timers, passed in wherever they are needed. */
export interface System {
  /** Epoch ms. */
  readonly now: () => number;
  readonly pause: (delayMs: number) => Promise<void>;
}

export const SYSTEM: System = {
  now: () => Date.now(),
  pause: (delayMs) => pause(delayMs),
};
