import type { DistributedSystem } from '@annals/testing';
import { readMetrics } from './read-metrics.js';

const FAILED_JOBS = /^memory_llm_jobs_total\{[^}]*outcome="(?:failed|exhausted|refused)"[^}]*\} \S+$/gm;

/** An outage of a store is no failure of a job: none has failed, and none waits to be replayed. */
export async function expectNoAttemptUsed(system: DistributedSystem): Promise<void> {
  const texts = await Promise.all([...system.extractions, ...system.persistences].map(readMetrics));
  const used = texts.flatMap((text) => [...text.matchAll(FAILED_JOBS)].map(([line]) => line));
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((line) => !line.endsWith(' 0'))).toEqual([]);
  const dump = JSON.parse(await system.dumpQueues()) as [string, unknown][];
  expect(dump.filter(([key]) => key.endsWith(':failed'))).toEqual([]);
}
