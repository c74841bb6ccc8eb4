import type { Batch, ConversationAccepted } from '@annals/contracts';
import { failBatch } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { startGateway, type TestGateway } from '../testing/start-gateway.contract.js';
import { BatchPoller } from './batch-poller.js';
import { BatchStreams } from './batch-streams.js';

describe('batches over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('batches');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  async function accept(): Promise<string> {
    const body = { user_id: 'u', messages: [{ role: 'user', content: 'I like tea.' }] };
    const answer = await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', { body });
    return answer.body.batch_ids[0]!;
  }

  const fail = (batchId: string, generation = 1) =>
    gateway.database.inTenant(tenantId, (tx) =>
      failBatch(tx, {
        batchId,
        queue: 'extraction',
        generation,
        code: 'timeout',
        message: 'It took too long.',
        now: gateway.infrastructure.clock.now(),
      }),
    );

  async function follow(batchId: string, headers: Record<string, string> = {}) {
    const leaving = new AbortController();
    const response = await fetch(`${gateway.url}/v1/batches/${batchId}/events`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: leaving.signal,
    });
    const stream = { response, text: '', ended: false, leave: () => leaving.abort() };
    const read = async () => {
      for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk as Uint8Array).toString();
      stream.ended = true;
    };
    read().catch(() => undefined);
    return stream;
  }

  const streams = () => gateway.app.get(BatchStreams);
  const eventsOf = (text: string) =>
    text
      .split('\n\n')
      .filter((block) => block.startsWith('event: status'))
      .map((block) => {
        const [, id, data] = block.split('\n');
        return { id: id!.slice('id: '.length), batch: JSON.parse(data!.slice('data: '.length)) as Batch };
      });

  it('replays a failed batch under the next generation, and only a failed one', async () => {
    const id = await accept();
    const path = `/v1/batches/${id}/replay`;
    expect(await gateway.send(key, 'POST', path)).toMatchObject({ status: 409, body: { code: 'batch_not_failed' } });
    expect(await fail(id)).toBe(true);
    const kicked = gateway.kicks.count;
    const replayed = await gateway.send<Batch>(key, 'POST', path);
    expect(replayed).toMatchObject({ status: 202, body: { status: 'queued', generation: 2, error: null } });
    expect(gateway.kicks.count).toBe(kicked + 1);
  });

  it('streams each change until the batch has ended, the same JSON as GET', async () => {
    const id = await accept();
    const stream = await follow(id);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    await waitUntil(() => eventsOf(stream.text).length === 1, { describe: 'the first event is there' });
    const seen = await gateway.send<Batch>(key, 'GET', `/v1/batches/${id}`);
    expect(eventsOf(stream.text)[0]!.batch).toEqual(seen.body);
    await fail(id);
    await waitUntil(() => stream.ended, { describe: 'the stream has ended' });
    const events = eventsOf(stream.text);
    expect(events.map(({ batch }) => batch.status)).toEqual(['queued', 'failed']);
    expect(Number(events[1]!.id)).toBeGreaterThan(Number(events[0]!.id));
    expect(streams().count).toBe(0);
  });

  it('goes on where Last-Event-ID says, and tells an EventSource when it is over', async () => {
    const id = await accept();
    const first = await follow(id);
    await waitUntil(() => eventsOf(first.text).length === 1, { describe: 'the first event is there' });
    first.leave();
    const seen = eventsOf(first.text)[0]!.id;
    const second = await follow(id, { 'last-event-id': seen });
    await fail(id);
    await waitUntil(() => second.ended, { describe: 'the second stream has ended' });
    const [last] = eventsOf(second.text);
    expect(last!.batch.status).toBe('failed');
    expect((await follow(id, { 'last-event-id': last!.id })).response.status).toBe(204);
  });

  it('forgets a client that leaves and stops looking when nobody waits', async () => {
    const id = await accept();
    const [one, two] = await Promise.all([follow(id), follow(id)]);
    expect(streams().count).toBe(2);
    expect(gateway.app.get(BatchPoller).isPolling).toBe(true);
    one.leave();
    two.leave();
    await waitUntil(() => streams().count === 0, { describe: 'both streams are forgotten' });
    await waitUntil(() => !gateway.app.get(BatchPoller).isPolling, { describe: 'the poller rests' });
  });

  it('answers 404 for a stream of a foreign batch', async () => {
    const id = await accept();
    const foreign = await gateway.makeKey({ tenantId: await gateway.makeTenant('elsewhere') });
    expect((await gateway.send(foreign, 'GET', `/v1/batches/${id}/events`)).status).toBe(404);
  });
});
