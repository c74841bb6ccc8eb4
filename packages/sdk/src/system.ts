/** What the runtime gives: time, timers, chance and ids. Passed in, so that specs decide about all of them. */
export interface System {
  /** Epoch ms. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  uuid(): string;
  /** Calls `run` once after `delayMs`, unless the returned function is called before. */
  startTimer(delayMs: number, run: () => void): () => void;
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Web standards only, which Node, Deno, Bun, browsers and edge runtimes share. */
export const SYSTEM: System = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  startTimer(delayMs, run) {
    if (delayMs > MAX_TIMER_MS) return () => undefined;
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
