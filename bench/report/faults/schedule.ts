import type { Rng } from '@annals/domain';
import { FAULTS, type FaultName } from './faults.ts';

/** One fault of a run. Times in ms; `atMs` counts from the beginning of the load. */
export interface PlannedFault {
  readonly name: FaultName;
  readonly atMs: number;
  readonly durationMs: number;
  /** Chooses between equal processes, 0 to 1. */
  readonly choice: number;
}

/**
 * One fault in each interval, at a random moment of its first half, so that what follows is seen before the next. All
 * faults are dealt before any comes again. The same seed gives the same schedule.
 */
export function planFaults(
  rng: Rng,
  {
    names,
    count,
    intervalMs,
  }: { readonly names: readonly FaultName[]; readonly count: number; readonly intervalMs: number },
): PlannedFault[] {
  const planned: PlannedFault[] = [];
  let deck: FaultName[] = [];
  for (let index = 0; index < count; index += 1) {
    if (deck.length === 0) deck = shuffle(rng, names);
    const name = deck.pop()!;
    const [min, max] = FAULTS[name].durationMs;
    // Where the interval is short, so is the fault: half of the interval is left to recover.
    const durationMs = Math.round(Math.min(min + rng.nextFloat() * (max - min), intervalMs / 4));
    const atMs = Math.round((index + 0.1 + rng.nextFloat() * 0.3) * intervalMs);
    planned.push({ name, atMs, durationMs, choice: rng.nextFloat() });
  }
  return planned;
}

function shuffle<T>(rng: Rng, items: readonly T[]): T[] {
  const left = [...items];
  const shuffled: T[] = [];
  while (left.length > 0) shuffled.push(...left.splice(Math.floor(rng.nextFloat() * left.length), 1));
  return shuffled;
}
