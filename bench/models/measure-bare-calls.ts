import type { FakeModelsRemote, JournalEntry } from '@annals/testing';
import { CONCURRENCY } from '../frame/drain.ts';
import { runClosedLoop } from '../frame/load.ts';
import type { Row } from '../frame/row.ts';
import { summarize } from '../frame/statistics.ts';

/** The floor of a call: the same request by bare `fetch`, answered by the same server at once. */
export async function measureBareCalls(
  fake: FakeModelsRemote,
  { request }: JournalEntry,
  count: number,
): Promise<Row[]> {
  await fake.configure({ latencyMs: 0 });
  const body = JSON.stringify(request.body);
  const headers = { 'content-type': 'application/json', 'x-api-key': 'bench', 'anthropic-version': '2023-06-01' };
  const call = async () => {
    const response = await fetch(`${fake.anthropicUrl}/v1/messages`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`The fake model answered with ${response.status}: ${text.slice(0, 300)}`);
  };
  await runClosedLoop(CONCURRENCY, count, call);
  const before = process.cpuUsage();
  const together = await runClosedLoop(CONCURRENCY, count, call);
  const { user, system } = process.cpuUsage(before);
  const alone = await runClosedLoop(1, Math.ceil(count / 4), call);
  return [
    {
      id: 'T3',
      what: 'bare fetch of the same call, 1 at a time: p50',
      value: summarize(alone.samples).p50,
      unit: 'ms',
    },
    {
      id: 'T3',
      what: `bare fetch of the same call, ${CONCURRENCY} at a time: p50`,
      value: summarize(together.samples).p50,
      unit: 'ms',
    },
    { id: 'T3', what: 'bare fetch of the same call: CPU', value: (user + system) / 1_000 / count, unit: 'ms' },
  ];
}
