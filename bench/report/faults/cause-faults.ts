import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../frame/log.ts';
import { FAULTS } from './faults.ts';
import type { CausedFault } from './impact.ts';
import { injectFault, type Victims } from './inject.ts';
import type { PlannedFault } from './schedule.ts';

/** Causes the planned faults at their times, one after the other, and waits for the end of the run. */
export async function causeFaults(
  victims: Victims,
  planned: readonly PlannedFault[],
  runMs: number,
): Promise<CausedFault[]> {
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const caused: CausedFault[] = [];
  for (const fault of planned) {
    await sleep(Math.max(0, fault.atMs - elapsedMs()));
    const atMs = elapsedMs();
    await injectFault(victims, fault);
    caused.push({ name: fault.name, atMs, overMs: elapsedMs() });
    log(`${Math.round(atMs / 1_000)} s: ${FAULTS[fault.name].title}; over after ${elapsedMs() - atMs} ms`);
  }
  await sleep(Math.max(0, runMs - elapsedMs()));
  return caused;
}
