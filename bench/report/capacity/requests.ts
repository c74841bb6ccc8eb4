import { setTimeout as sleep } from 'node:timers/promises';
import type { Offered } from './offer.ts';

/** Most requests under way: more than a process answers at a time, so that it never lacks work. */
const CALLERS = 64;
const SATURATING_CALLERS = 16;
const SATURATE_MS = 2_500;

/** Requests at a rate that does not depend on the answers. */
export async function offerRequests(
  perSecond: number,
  seconds: number,
  send: () => Promise<unknown>,
): Promise<Offered> {
  const count = Math.max(2, Math.round(perSecond * seconds));
  const startMs = performance.now();
  const due = Array.from({ length: count }, (_, index) => startMs + (index * 1_000) / perSecond);
  const done: number[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < count) {
      const waitMs = due[next++]! - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      await send();
      done.push(performance.now());
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return { due, done };
}

/** How many requests per second are answered when there are always enough of them. */
export async function saturateWithRequests(send: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  let count = 0;
  const call = async (): Promise<void> => {
    while (performance.now() - startMs < SATURATE_MS) {
      await send();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: SATURATING_CALLERS }, call));
  return (count * 1_000) / (performance.now() - startMs);
}
