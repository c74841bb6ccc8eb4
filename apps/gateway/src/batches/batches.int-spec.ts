import type { Batch, BatchPage, ConversationAccepted } from '@annals/contracts';
import { failBatch } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
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

  const failure = {
    kind: 'extraction',
    generation: 1,
    code: 'timeout',
    message: 'It took too long.',
    now: Date.UTC(2026, 0, 5),
  } as const;
  const fail = (batchId: string) => gateway.database.inTenant(tenantId, (tx) => failBatch(tx, { ...failure, batchId }));

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
  const parseEvents = (text: string) =>
    text
      .split('\n\n')
      .filter((block) => block.startsWith('event: status'))
      .map((block) => {
        const [, id, data] = block.split('\n');
        return { id: id!.slice('id: '.length), batch: JSON.parse(data!.slice('data: '.length)) as Batch };
      });

  it('replays only failed batches, under the next generation', async () => {
    const id = await accept();
    const path = `/v1/batches/${id}/replay`;
    expect(await gateway.send(key, 'POST', path)).toMatchObject({ status: 409, body: { code: 'batch_not_failed' } });
    expect(await fail(id)).toBe(true);
    const kicked = gateway.kicks.count;
    const replayed = await gateway.send<Batch>(key, 'POST', path);
    expect(replayed).toMatchObject({ status: 202, body: { status: 'queued', generation: 2, error: null } });
    expect(gateway.kicks.count).toBe(kicked + 1);
  });

  describe('in a list', () => {
    let tenant: string;
    let admin: string;
    beforeEach(async () => {
      tenant = await gateway.makeTenant(`list-${gateway.infrastructure.ids.next()}`);
      admin = await gateway.makeKey({ tenantId: tenant });
    });

    const postMessage = async (user_id: string, agent_id?: string) => {
      const body = { user_id, agent_id, messages: [{ role: 'user', content: 'I like tea.' }] };
      const accepted = await gateway.send<ConversationAccepted>(admin, 'POST', '/v1/conversations', { body });
      return accepted.body.batch_ids[0]!;
    };
    const list = async (query = '', by = admin) => {
      const { status, body } = await gateway.send<BatchPage>(by, 'GET', `/v1/batches${query}`);
      expect(status).toBe(200);
      return body;
    };
    const ids = async (query = '', by = admin) => (await list(query, by)).items.map(({ id }) => id);

    it('returns batches like GET of one, newest first and page by page', async () => {
      const [first, second, third] = [await postMessage('ada'), await postMessage('bob'), await postMessage('ada')];
      const page = await list('?limit=2');
      expect(page.items.map(({ id }) => id)).toEqual([third, second]);
      expect(page.items[0]).toEqual((await gateway.send<Batch>(admin, 'GET', `/v1/batches/${third}`)).body);
      const rest = await list(`?limit=2&cursor=${encodeURIComponent(page.next_cursor!)}`);
      expect([rest.items.map(({ id }) => id), rest.next_cursor]).toEqual([[first], null]);
    });

    it('filters failed batches, which can then be replayed', async () => {
      await postMessage('ada');
      const id = await postMessage('ada');
      await gateway.database.inTenant(tenant, (tx) => failBatch(tx, { ...failure, batchId: id }));
      expect((await list('?status=failed')).items).toMatchObject([{ id, error: { code: 'timeout' } }]);
      await gateway.send(admin, 'POST', `/v1/batches/${id}/replay`);
      expect(await ids('?status=failed')).toEqual([]);
      expect(await ids('?status=queued')).toHaveLength(2);
    });

    it('returns to a bound key only the batches that GET returns to it', async () => {
      const [adas, bobs] = [await postMessage('ada', 'guide'), await postMessage('bob', 'clerk')];
      const ofAda = await gateway.makeKey({ tenantId: tenant, userId: 'ada' });
      const ofClerk = await gateway.makeKey({ tenantId: tenant, agentId: 'clerk' });
      const ofTasks = await gateway.makeKey({ tenantId: tenant, categories: ['tasks'] });
      expect(await ids('', ofAda)).toEqual([adas]);
      expect(await ids('', ofClerk)).toEqual([bobs]);
      for (const [by, mine, others] of [
        [ofAda, adas, bobs],
        [ofClerk, bobs, adas],
      ] as const) {
        expect((await gateway.send(by, 'GET', `/v1/batches/${mine}`)).status).toBe(200);
        expect((await gateway.send(by, 'GET', `/v1/batches/${others}`)).status).toBe(404);
      }
      for (const path of ['/v1/batches', `/v1/batches/${adas}`]) {
        expect(await gateway.send(ofTasks, 'GET', path)).toMatchObject({
          status: 403,
          body: { code: 'forbidden_category' },
        });
      }
      expect(await ids('?user_id=ada', ofAda)).toEqual([adas]);
      expect(await gateway.send(ofAda, 'GET', '/v1/batches?user_id=bob')).toMatchObject({
        status: 403,
        body: { code: 'forbidden_user' },
      });
    });

    it('requires the same scope as GET of one, and returns no batch of another tenant', async () => {
      await postMessage('ada');
      const reader = await gateway.makeKey({ tenantId: tenant, scopes: ['query'] });
      expect((await gateway.send(reader, 'GET', '/v1/batches')).body.code).toBe('forbidden_scope');
      expect(await ids('', await gateway.makeKey({ tenantId: await gateway.makeTenant('next-door') }))).toEqual([]);
    });

    it.each([
      ['?status=lost', 'query.status'],
      ['?limit=0', 'query.limit'],
      ['?cursor=nonsense', 'query.cursor'],
      ['?mood=bad', 'query.mood'],
    ])('refuses %s and names the field', async (query, path) => {
      const answer = await gateway.send(admin, 'GET', `/v1/batches${query}`);
      expect([answer.status, answer.body.errors?.map((error) => error.path)]).toEqual([400, [path]]);
    });
  });

  it('streams each change until the batch has ended, with the same JSON as GET', async () => {
    const id = await accept();
    const stream = await follow(id);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    await waitUntil(() => parseEvents(stream.text).length === 1, { describe: 'the first event is there' });
    const seen = await gateway.send<Batch>(key, 'GET', `/v1/batches/${id}`);
    expect(parseEvents(stream.text)[0]!.batch).toEqual(seen.body);
    await fail(id);
    await waitUntil(() => stream.ended, { describe: 'the stream has ended' });
    const events = parseEvents(stream.text);
    expect(events.map(({ batch }) => batch.status)).toEqual(['queued', 'failed']);
    expect(Number(events[1]!.id)).toBeGreaterThan(Number(events[0]!.id));
    expect(streams().count).toBe(0);
  });

  it('continues after Last-Event-ID, and answers 204 to an EventSource when the batch has ended', async () => {
    const id = await accept();
    const first = await follow(id);
    await waitUntil(() => parseEvents(first.text).length === 1, { describe: 'the first event is there' });
    first.leave();
    const seen = parseEvents(first.text)[0]!.id;
    const second = await follow(id, { 'last-event-id': seen });
    await fail(id);
    await waitUntil(() => second.ended, { describe: 'the second stream has ended' });
    const [last] = parseEvents(second.text);
    expect(last!.batch.status).toBe('failed');
    expect((await follow(id, { 'last-event-id': last!.id })).response.status).toBe(204);
  });

  it('unsubscribes a client that disconnects, and stops polling without subscriptions', async () => {
    const id = await accept();
    const [one, two] = await Promise.all([follow(id), follow(id)]);
    expect(streams().count).toBe(2);
    expect(gateway.app.get(BatchPoller).isPolling).toBe(true);
    one.leave();
    two.leave();
    await waitUntil(() => streams().count === 0, { describe: 'both streams are closed' });
    await waitUntil(() => !gateway.app.get(BatchPoller).isPolling, { describe: 'the poller is idle' });
  });

  it('answers 404 for a stream of another tenant’s batch', async () => {
    const id = await accept();
    const foreign = await gateway.makeKey({ tenantId: await gateway.makeTenant('elsewhere') });
    expect((await gateway.send(foreign, 'GET', `/v1/batches/${id}/events`)).status).toBe(404);
  });
});
