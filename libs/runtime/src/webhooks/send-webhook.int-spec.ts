import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { answerWith, createCertificate, hang, WebhookReceiver } from '@annals/testing';
import { AddressRules } from './address-rules.js';
import { RawReceiver } from './raw-receiver.fixture.js';
import { LOCAL_RULES, resolveInTurn } from './sender.fixture.js';
import { type SendOptions, sendWebhook } from './send-webhook.js';

const STRICT = new AddressRules({ allowedNetworks: [], allowsHttp: true });
const BODY = '{"type":"memory.created","data":{}}';

describe('sendWebhook', () => {
  let receiver: WebhookReceiver;
  /** On another address of this machine, which no rule of this spec allows. */
  let inner: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    inner = await WebhookReceiver.start(receiver.port, '127.0.0.2');
  });
  afterEach(() => Promise.all([receiver.close(), inner.close()]));

  const send = (url: string, options: Partial<SendOptions> = {}) =>
    sendWebhook(
      { url, headers: { 'content-type': 'application/json', 'webhook-id': 'event' }, body: BODY },
      {
        rules: LOCAL_RULES,
        resolve: resolveInTurn(['127.0.0.1']),
        timeoutMs: 10_000,
        signal: new AbortController().signal,
        ...options,
      },
    );
  const named = (path = '/hook?a=b') => `http://receiver.example:${receiver.port}${path}`;

  it('posts the body to the address that the name has, under that name', async () => {
    expect(await send(named())).toEqual({ status: 204, retryAfter: undefined });
    expect(receiver.received).toMatchObject([
      {
        path: '/hook?a=b',
        body: BODY,
        headers: { host: `receiver.example:${receiver.port}`, 'webhook-id': 'event', 'content-length': '35' },
      },
    ]);
    expect(receiver.received[0]!.headers).not.toHaveProperty('traceparent');
  });

  it('resolves a name once for each request and connects to what was checked, whatever the name becomes then', async () => {
    const resolve = resolveInTurn(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']);
    expect(await send(named(), { resolve })).toMatchObject({ status: 204 });
    expect(resolve.asked).toEqual(['receiver.example']);
    expect(await send(named(), { resolve })).toEqual({ failure: 'address_refused' });
    expect(await send(named(), { resolve })).toMatchObject({ status: 204 });
    expect([receiver.received.length, inner.received.length]).toEqual([2, 0]);
    // Every request had a connection of its own: none could outlive its check.
    expect(receiver.connections).toBe(2);
    expect(inner.connections).toBe(0);
  });

  it('refuses a name of which any address is inside, and opens no connection', async () => {
    for (const addresses of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '169.254.169.254'],
      ['::ffff:127.0.0.1'],
      ['127.0.0.1', 'not an address'],
    ]) {
      expect(await send(named(), { resolve: resolveInTurn(addresses) })).toEqual({ failure: 'address_refused' });
    }
    expect([receiver.connections, inner.connections]).toEqual([0, 0]);
  });

  it('opens no connection to an address that the URL names, however it is spelled', async () => {
    const hosts = ['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0'];
    for (const host of hosts) {
      const url = `http://${host}:${receiver.port}/`;
      expect([host, await send(url, { rules: STRICT })]).toEqual([host, { failure: 'url_refused' }]);
    }
    expect(receiver.connections).toBe(0);
  });

  it.each(['http://127.0.0.2:PORT/', 'http://169.254.169.254/latest/meta-data/', '//127.0.0.2:PORT/', '/elsewhere'])(
    'follows no redirect to %s',
    async (location) => {
      receiver.answer = answerWith(307, { location: location.replace('PORT', String(inner.port)) });
      expect(await send(named())).toMatchObject({ status: 307 });
      expect([receiver.received.length, inner.connections]).toEqual([1, 0]);
    },
  );

  it('ends when a receiver answers nothing, its name server does not, or its connection is not accepted', async () => {
    receiver.answer = hang;
    const timeoutMs = 200;
    expect(await send(named(), { timeoutMs })).toEqual({ failure: 'timeout' });
    const never = new Promise<never>(() => undefined);
    expect(await send(named(), { timeoutMs, resolve: () => never })).toEqual({ failure: 'timeout' });
    const nobody = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await send(named(), { resolve: nobody })).toEqual({ failure: 'dns' });
    expect(await send(named(), { resolve: resolveInTurn([]) })).toEqual({ failure: 'dns' });
    await receiver.close();
    expect(await send(`http://127.0.0.1:${inner.port}/`)).toEqual({ failure: 'connection' });
  });

  it('ends with its process', async () => {
    receiver.answer = hang;
    const stopping = new AbortController();
    const sent = send(named(), { signal: stopping.signal });
    await receiver.nextRequest();
    stopping.abort();
    expect(await sent).toEqual({ failure: 'interrupted' });
  });

  it('takes the status of an endless response without reading it all', async () => {
    let written = 0;
    receiver.answer = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384, 'x');
      const write = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
        written += chunk.length;
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    };
    expect(await send(named())).toMatchObject({ status: 200 });
    expect(written).toBeLessThan(50_000_000);
  });

  it('takes the status of a response whose body never ends', async () => {
    receiver.answer = (response) => void response.writeHead(202).write('x');
    expect(await send(named(), { timeoutMs: 1_500 })).toMatchObject({ status: 202 });
  });

  it.each([
    [
      'a change of the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      101,
    ],
    ['a response that ends its connection', 'HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 5\r\n\r\n', 503],
  ])('takes the status of %s', async (_what, text, status) => {
    const raw = await RawReceiver.start((socket) => socket.end(text));
    try {
      expect(await send(raw.url)).toMatchObject({ status });
    } finally {
      raw.close();
    }
  });

  it.each([
    ['answers that something will follow', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['empty lines', '\r\n'],
  ])('ends a receiver that sends %s without an end, after few of them', async (_what, text) => {
    let written = 0;
    const chunk = Buffer.from(text.repeat(4_000));
    const raw = await RawReceiver.start((socket) => {
      const write = () => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      };
      socket.on('drain', write);
      write();
    });
    try {
      expect(await send(raw.url)).toEqual({ failure: 'connection' });
      // What a network buffers.
      expect(written).toBeLessThan(50_000_000);
    } finally {
      raw.close();
    }
  });

  it.each([
    ['garbage', 'no http at all\r\n\r\n'],
    ['headers without an end', `HTTP/1.1 200 OK\r\n${'x-filler: x\r\n'.repeat(5_000)}`],
  ])('counts %s as no response', async (_what, text) => {
    const raw = await RawReceiver.start((socket) => void socket.write(text));
    try {
      expect(await send(raw.url, { timeoutMs: 2_000 })).toEqual({ failure: 'connection' });
    } finally {
      raw.close();
    }
  });

  it('requires TLS where the URL does', async () => {
    expect(await send(`https://127.0.0.1:${receiver.port}/`)).toEqual({ failure: 'tls' });
    expect(receiver.received).toEqual([]);
  });

  it('sends over TLS to whom the certificate names, if its authority is known, and to nobody else', async () => {
    const certificate = await createCertificate('receiver.example');
    const secure = await WebhookReceiver.start(0, '127.0.0.1', certificate);
    const to = (host: string) => send(`https://${host}:${secure.port}/hook`);
    const known = getCACertificates('default');
    try {
      expect(await to('receiver.example')).toEqual({ failure: 'tls' });
      setDefaultCACertificates([...known, certificate.cert]);
      expect(await to('other.example')).toEqual({ failure: 'tls' });
      expect(await to('127.0.0.1')).toEqual({ failure: 'tls' });
      expect(secure.received).toEqual([]);
      expect(await to('receiver.example')).toEqual({ status: 204, retryAfter: undefined });
      expect(secure.received).toMatchObject([{ path: '/hook', body: BODY }]);
    } finally {
      setDefaultCACertificates(known);
      await secure.close();
    }
  });
});
