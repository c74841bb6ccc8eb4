import {
  type AnnalsSystem,
  answerWith,
  ApiClient,
  type ReceivedRequest,
  startSystem,
  waitUntil,
  waitUntilDone,
  WEBHOOK_VARIABLES,
  WebhookReceiver,
} from '@annals/testing';
import { verifyWebhook } from '@annals/sdk';
import { Webhook } from 'standardwebhooks';
import { documentedBlock } from '../documented-blocks.js';

describe('webhooks', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  let receiver: WebhookReceiver;
  /** On an address of this machine that is not allowed. */
  let inner: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    inner = await WebhookReceiver.start(0, '127.0.0.2');
    system = await startSystem({
      env: {
        ...WEBHOOK_VARIABLES,
        ANNALS_WEBHOOKS_POLL_MS: '50',
      },
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    await receiver?.close();
    await inner?.close();
  });

  const put = async (id: string, url: string, include: 'content'[] = []) =>
    (await client.must('putWebhook', { body: { id, url, include } })) as { secret: string };
  const receivedAt = (path: string) => receiver.received.filter((request) => request.path === path);
  const typesAt = (path: string) => receivedAt(path).map(({ event }) => event.type);
  const findContents = (requests: readonly ReceivedRequest[]) =>
    requests.flatMap(({ event }) => (typeof event.data['content'] === 'string' ? [event.data['content']] : []));

  it('tell what becomes of a conversation, signed, and its words to whom asked for them', async () => {
    const { origin } = new URL(receiver.url);
    const { secret } = await put('ids', `${origin}/ids`);
    await put('words', `${origin}/words`, ['content']);
    const { batch_ids: batchIds } = await client.must('postConversation', {
      body: {
        user_id: 'mara',
        thread_id: 'support',
        messages: [{ role: 'user', content: 'I am allergic to peanuts.' }],
        flush: true,
      },
    });
    await waitUntilDone(client, batchIds, { explain: () => system.lastLines });
    const isTold = (path: string) => typesAt(path).includes('batch.done');
    await waitUntil(() => isTold('/ids') && isTold('/words'), { describe: 'both receivers were told' });
    const { items } = await client.must('listMemories', { query: { user_id: 'mara' } });
    const created = receivedAt('/ids').filter(({ event }) => event.type === 'memory.created');
    expect(created.map(({ event }) => event.data['memory_id'])).toEqual(
      expect.arrayContaining(items.map(({ id }) => id)),
    );
    // What a batch wrote comes before its end.
    expect(typesAt('/ids').at(-1)).toBe('batch.done');
    const [one] = receivedAt('/ids');
    expect(new Webhook(secret).verify(one!.body, one!.headers)).toEqual(one!.event);
    expect(await verifyWebhook(one!.body, one!.headers, { secret })).toEqual(one!.event);
    await expect(verifyWebhook(`${one!.body} `, one!.headers, { secret })).rejects.toThrow(/signature/i);
    expect(receivedAt('/ids').some(({ body }) => body.includes('peanuts'))).toBe(false);
    expect(findContents(receivedAt('/words')).join(' ')).toContain('peanuts');
  });

  it('lead nowhere inside by a redirect, and not at all to an address inside', async () => {
    const { origin } = new URL(receiver.url);
    const problem = await client.mustFail('putWebhook', { body: { id: 'inside', url: inner.url } });
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body.url' }] });
    await put('redirected', `${origin}/redirected`);
    receiver.answer = (response, request) =>
      request.path === '/redirected'
        ? answerWith(308, { location: inner.url })(response, request)
        : answerWith(204)(response, request);
    await client.must('testWebhook', { params: { id: 'redirected' } });
    const isTried = async () => {
      const { items } = await client.must('listWebhookDeliveries', { params: { id: 'redirected' } });
      return items[0]!.attempts > 1 ? items[0] : undefined;
    };
    const delivery = await waitUntil(isTried, { describe: 'the redirected request was tried twice' });
    expect(delivery).toMatchObject({ status: 'pending', response_status: 308, failure: 'redirect' });
    expect(inner.connections).toBe(0);
    // What an operator is told to ask.
    const failing = await system.inspect((query) =>
      query(documentedBlock('operating.md', 'sql', 'failing-webhooks').replace(';', '')),
    );
    expect(failing).toMatchObject([{ id: 'redirected', pending: '1', failure: 'redirect', response_status: 308 }]);
    await client.must('deleteWebhook', { params: { id: 'redirected' } });
  });

  it('tell that a user was erased, and keep no trace of them', async () => {
    await client.must('eraseUser', { params: { user_id: 'mara' } });
    const isTold = (path: string) => typesAt(path).includes('user.erased');
    await waitUntil(() => isTold('/ids') && isTold('/words'), { describe: 'both receivers were told' });
    const isForgotten = async () => {
      const answers = await Promise.all(
        ['ids', 'words'].map((id) =>
          client.must('listWebhookDeliveries', { params: { id }, query: { user_id: 'mara' } }),
        ),
      );
      return answers.every(({ items }) => items.length === 0);
    };
    await waitUntil(isForgotten, { describe: 'the deliveries of the user are gone' });
    const tables = await system.inspect((query) =>
      query<{ n: number }>(`SELECT count(*)::int AS n FROM webhook_feeds WHERE owner = 'mara'`),
    );
    expect(tables).toEqual([{ n: 0 }]);
  });
});
