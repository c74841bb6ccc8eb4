import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const AT = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const options = { secret: SECRET, now: () => AT * 1_000 };

/** Headers as the library of Standard Webhooks signs them. */
const sign = (body: string, secret = SECRET, id = 'msg_p5jXN8AQM9LWM0D4loKWxJek') => ({
  'webhook-id': id,
  'webhook-timestamp': String(AT),
  'webhook-signature': new Webhook(secret).sign(id, new Date(AT * 1_000), body),
});

describe('verifyWebhook', () => {
  it('takes the message that the specification of Standard Webhooks shows', async () => {
    const headers = { ...sign(BODY), 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' };
    expect(await verifyWebhook(BODY, headers, options)).toEqual({ test: 2_432_232_314 });
    expect(await verifyWebhook(new TextEncoder().encode(BODY), new Headers(headers), options)).toEqual(
      JSON.parse(BODY),
    );
    expect(await verifyWebhook(BODY, headers, { ...options, secret: SECRET.slice(6) })).toEqual(JSON.parse(BODY));
  });

  it('takes whatever the library of Standard Webhooks signs, and nothing that was changed since', async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.jsonValue(), fc.constantFrom('body', 'id', 'time'), async (id, data, part) => {
        const body = JSON.stringify({ data });
        const headers = sign(body, SECRET, id);
        expect(await verifyWebhook(body, headers, options)).toEqual(JSON.parse(body));
        const changes = {
          body: { body: `${body} ` },
          id: { 'webhook-id': `${id}0` },
          time: { 'webhook-timestamp': String(AT + 1) },
        };
        const changed = { body, ...headers, ...changes[part] };
        await expect(verifyWebhook(changed.body, changed, options)).rejects.toThrow(WebhookVerificationError);
        judged += 1;
      }),
      { numRuns: 100 },
    );
    expect(judged).toBe(100);
  });

  it('takes a message of which one signature is of one of the secrets', async () => {
    const [ours, theirs] = [sign(BODY), sign(BODY, OTHER)];
    const both = `v2,AAAA ${theirs['webhook-signature']} ${ours['webhook-signature']}`;
    expect(await verifyWebhook(BODY, { ...ours, 'webhook-signature': both }, options)).toEqual(JSON.parse(BODY));
    expect(await verifyWebhook(BODY, ours, { ...options, secret: [OTHER, SECRET] })).toEqual(JSON.parse(BODY));
    await expect(verifyWebhook(BODY, theirs, options)).rejects.toThrow(/secret/);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a message without %s', async (name) => {
    const { [name]: _left, ...headers } = sign(BODY) as Record<string, string>;
    await expect(verifyWebhook(BODY, headers, options)).rejects.toThrow(name);
  });

  it('refuses a message of another time, and takes it within the tolerance', async () => {
    const later = (ms: number) => ({ ...options, now: () => AT * 1_000 + ms });
    await expect(verifyWebhook(BODY, sign(BODY), later(301_000))).rejects.toThrow(/clock/);
    await expect(verifyWebhook(BODY, sign(BODY), later(-301_000))).rejects.toThrow(/clock/);
    expect(await verifyWebhook(BODY, sign(BODY), later(299_000))).toBeDefined();
    expect(await verifyWebhook(BODY, sign(BODY), { ...later(900_000), toleranceMs: 1_000_000 })).toBeDefined();
    const wrong = { ...sign(BODY), 'webhook-timestamp': 'now' };
    await expect(verifyWebhook(BODY, wrong, options)).rejects.toThrow(WebhookVerificationError);
  });

  it('refuses signatures that are none, and says when the secret is none', async () => {
    for (const signature of ['v1,', 'v1,!', 'g0hM9SsE', 'v1a,AAAA']) {
      const headers = { ...sign(BODY), 'webhook-signature': signature };
      await expect(verifyWebhook(BODY, headers, options)).rejects.toThrow(WebhookVerificationError);
    }
    await expect(verifyWebhook(BODY, sign(BODY), { ...options, secret: 'whsec_' })).rejects.toThrow(TypeError);
    await expect(verifyWebhook(BODY, sign(BODY), { ...options, secret: 'whsec_!' })).rejects.toThrow(TypeError);
  });
});
