import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Row } from '../frame/row.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { summarize } from '../frame/statistics.ts';
import type { Pipeline } from './run-round.ts';

const POLL_MS = 2;

/**
 * One conversation at a time: the time from its 202 to the start of extraction, and to its stored memories. With one
 * process of each service.
 */
export async function measureIdle(
  { extraction: [extraction], persistence: [persistence], post }: Pipeline,
  count: number,
): Promise<Row[]> {
  await Promise.all([extraction!.probe(), persistence!.probe()]);
  const pickups: number[] = [];
  const ends: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await post();
    const acceptedAt = performance.timeOrigin + performance.now();
    const [extracted, persisted] = [await nextJob(extraction!), await nextJob(persistence!)];
    pickups.push(extracted.startedAt - acceptedAt);
    ends.push(persisted.endedAt - acceptedAt);
  }
  const [pickup, end] = [summarize(pickups), summarize(ends)];
  return [
    {
      id: 'T13',
      what: 'from the 202 to the start of extraction, idle: p50',
      value: pickup.p50,
      unit: 'ms',
      target: atMost(pickup.p50, 10, '<= 10 ms'),
      details: { pickup },
    },
    { id: 'T13', what: 'from the 202 to stored memories, idle: p50', value: end.p50, unit: 'ms', details: { end } },
  ];
}

async function nextJob(service: ServiceProcess) {
  for (;;) {
    const { jobs } = await service.probe();
    if (jobs[0]) return jobs[0];
    await sleep(POLL_MS);
  }
}
