import type { FakeModelsRemote, FakeRequest, JournalEntry } from '@annals/testing';
import { CONCURRENCY } from '../frame/drain.ts';
import { runClosedLoop } from '../frame/load.ts';
import type { Row } from '../frame/row.ts';
import { summarize } from '../frame/statistics.ts';
import type { StreamPieces } from './measure-side.ts';

export interface BareStreamOptions {
  readonly fake: FakeModelsRemote;
  readonly request: FakeRequest;
  readonly count: number;
  readonly pieces: StreamPieces;
}

/**
 * The minimum of a call, as the baseline: the same request by bare `fetch`, answered by the same server without delay.
 */
export async function measureBareCalls(
  fake: FakeModelsRemote,
  { request }: JournalEntry,
  count: number,
): Promise<Row[]> {
  await fake.configure({ latencyMs: 0 });
  const call = createBareCall(fake, request);
  await runClosedLoop(CONCURRENCY, count, call);
  const before = process.cpuUsage();
  const together = await runClosedLoop(CONCURRENCY, count, call);
  const cpuMs = readCpuMs(before);
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
    { id: 'T3', what: 'bare fetch of the same call: CPU', value: cpuMs / count, unit: 'ms' },
  ];
}

/** CPU of a streamed call by bare `fetch`, with only splitting and parsing of events. */
export async function measureBareStream({ fake, request, count, pieces }: BareStreamOptions): Promise<number> {
  await fake.configure({ latencyMs: 0 });
  await fake.plan(...Array.from({ length: 2 * count }, () => ({ kind: 'answer' as const, ...pieces })));
  const call = createBareCall(fake, request);
  await runClosedLoop(CONCURRENCY, count, call);
  const before = process.cpuUsage();
  await runClosedLoop(CONCURRENCY, count, call);
  return readCpuMs(before) / count;
}

function createBareCall(fake: FakeModelsRemote, { body, path, stream }: FakeRequest): () => Promise<void> {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'x-api-key': 'bench',
    authorization: 'Bearer bench',
    'anthropic-version': '2023-06-01',
  };
  return async () => {
    const response = await fetch(`${fake.anthropicUrl}${path}`, { method: 'POST', headers, body: text });
    if (!response.ok || !response.body) throw new Error(`The fake model failed with ${response.status}.`);
    await (stream ? readEvents(response.body) : response.text());
  };
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    const events = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.slice(event.indexOf('data: ') + 'data: '.length);
      if (data !== '[DONE]') JSON.parse(data);
    }
  }
}

function readCpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
