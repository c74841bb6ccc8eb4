/** What the runtime gives. Passed in, so that specs decide about it. */
export interface System {
  /** Epoch ms. */
  now(): number;
}

export const SYSTEM: System = { now: () => Date.now() };
