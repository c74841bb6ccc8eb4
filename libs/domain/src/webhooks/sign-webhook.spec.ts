import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { SystemClock } from '../determinism/system.js';
import { deriveWebhookSecret, formatWebhookSecret, signWebhook } from './sign-webhook.js';

const KEY = Buffer.alloc(32, 7);
const SOURCE = { tenantId: 'tenant', webhookKey: 'webhook', salt: 'salt' };
const SECRET = deriveWebhookSecret(KEY, SOURCE);

/** What the library of Standard Webhooks says of a message; the time is that of the attempt. */
function verify(secret: Uint8Array, { id, timestamp, body }: Parameters<typeof signWebhook>[0], signature: string) {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  return new Webhook(formatWebhookSecret(secret)).verify(body, headers);
}

describe('signWebhook', () => {
  // The library compares it with its clock.
  let timestamp: number;
  beforeEach(() => {
    timestamp = Math.floor(new SystemClock().now() / 1_000);
  });

  it('signs as the specification of Standard Webhooks shows', () => {
    const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signWebhook(message, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(formatWebhookSecret(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  });

  it('gives what the library of Standard Webhooks gives and accepts, for any message and secret', () => {
    const bytes = fc.uint8Array({ minLength: 24, maxLength: 64 });
    let judged = 0;
    fc.assert(
      fc.property(fc.uuid(), fc.jsonValue(), bytes, (id, data, secret) => {
        const message = { id, timestamp, body: JSON.stringify({ type: 'memory.created', data }) };
        const signature = signWebhook(message, [secret]);
        const library = new Webhook(formatWebhookSecret(secret));
        expect(signature).toBe(library.sign(id, new Date(timestamp * 1_000), message.body));
        expect(verify(secret, message, signature)).toEqual(JSON.parse(message.body));
        judged += 1;
      }),
      { numRuns: 200 },
    );
    expect(judged).toBe(200);
  });

  it('is accepted by whoever has one of the secrets, while they are rotated', () => {
    const [before, stranger] = ['before', 'stranger'].map((salt) => deriveWebhookSecret(KEY, { ...SOURCE, salt }));
    const message = { id: 'event', timestamp, body: '{}' };
    const signature = signWebhook(message, [SECRET, before!]);
    expect(signature.split(' ')).toHaveLength(2);
    expect(verify(SECRET, message, signature)).toEqual({});
    expect(verify(before!, message, signature)).toEqual({});
    expect(() => verify(stranger!, message, signature)).toThrow(WebhookVerificationError);
  });

  it('covers id, time and body', () => {
    const message = { id: 'event', timestamp, body: '{"a":1}' };
    const signature = signWebhook(message, [SECRET]);
    for (const changed of [{ id: 'other' }, { timestamp: timestamp + 1 }, { body: '{"a":2}' }]) {
      expect(() => verify(SECRET, { ...message, ...changed }, signature)).toThrow(WebhookVerificationError);
    }
  });
});

describe('deriveWebhookSecret', () => {
  it('gives 32 bytes that differ by key, tenant, webhook and salt', () => {
    const others = [
      deriveWebhookSecret(Buffer.alloc(32, 8), SOURCE),
      ...(['tenantId', 'webhookKey', 'salt'] as const).map((part) =>
        deriveWebhookSecret(KEY, { ...SOURCE, [part]: 'other' }),
      ),
    ];
    const all = [SECRET, ...others].map((secret) => secret.toString('hex'));
    expect(new Set(all).size).toBe(5);
    expect(SECRET).toHaveLength(32);
    expect(deriveWebhookSecret(KEY, SOURCE)).toEqual(SECRET);
  });
});
