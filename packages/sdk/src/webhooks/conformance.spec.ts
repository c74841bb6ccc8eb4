import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type VerifyWebhookOptions, WebhookVerificationError } from './verify-webhook.js';

// The cases of the tests of Standard Webhooks' own libraries (JavaScript, Python, Go, Java, PHP, Ruby, Elixir), as of August 2026.
const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = '{"test": 2432232314}';
const AT = 1_614_265_330;
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const STRANGER = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
const TOLERANCE_SECONDS = 5 * 60;

interface Case {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly options?: Partial<VerifyWebhookOptions>;
  /** Seconds between the message and the clock of its receiver. */
  readonly age?: number;
}

const timed = (timestamp: number | string, secret = SECRET, body = BODY) => ({
  'webhook-timestamp': String(timestamp),
  'webhook-signature': new Webhook(secret).sign(ID, new Date(Math.trunc(Number(timestamp)) * 1_000), body),
});

const ACCEPTED: Readonly<Record<string, Case>> = {
  'a valid signature': {},
  'a secret with its prefix': { options: { secret: `whsec_${SECRET}` } },
  'a secret without padding': {
    headers: timed(AT, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwYQ=='),
    options: { secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwYQ' },
  },
  'one valid signature among several': {
    headers: { 'webhook-signature': `v1,${STRANGER} v2,${STRANGER} ${SIGNATURE} v1,${STRANGER}` },
  },
  'names of headers in capitals': {
    headers: {
      'webhook-id': undefined,
      'webhook-timestamp': undefined,
      'webhook-signature': undefined,
      'Webhook-Id': ID,
      'WEBHOOK-TIMESTAMP': String(AT),
      'Webhook-Signature': SIGNATURE,
    },
  },
  'the oldest time that is tolerated': { age: TOLERANCE_SECONDS },
  'the newest time that is tolerated': { age: -TOLERANCE_SECONDS },
  'an old time, when none is too old': { age: 86_400, options: { toleranceMs: Number.POSITIVE_INFINITY } },
  'a new time, when none is too new': { age: -86_400, options: { toleranceMs: Number.POSITIVE_INFINITY } },
};

const REFUSED: Readonly<Record<string, Case>> = {
  'a message without an id': { headers: { 'webhook-id': undefined } },
  'a message without a time': { headers: { 'webhook-timestamp': undefined } },
  'a message without a signature': { headers: { 'webhook-signature': undefined } },
  'an empty id': { headers: { 'webhook-id': '' } },
  'a signature of something else': { headers: { 'webhook-signature': 'v1,dawfeoifkpqwoekfpqoekf' } },
  'a part of the signature': { headers: { 'webhook-signature': SIGNATURE.slice(0, 8) } },
  'a signature without bytes': { headers: { 'webhook-signature': 'v1,' } },
  'a signature without a version': { headers: { 'webhook-signature': SIGNATURE.slice('v1,'.length) } },
  'the right signature in another version': { headers: { 'webhook-signature': SIGNATURE.replace('v1', 'v2') } },
  'a signature of another secret': { headers: { 'webhook-signature': `v1,${STRANGER}` } },
  'a body that was changed': { body: '{"test": 2432232315}' },
  'a time that is too old': { age: TOLERANCE_SECONDS + 1 },
  'a time that is too new': { age: -TOLERANCE_SECONDS - 1 },
  'a time that is a word': { headers: { 'webhook-timestamp': 'hello' } },
  'a time that is a word, when none is too old': {
    headers: { 'webhook-timestamp': 'hello' },
    options: { toleranceMs: Number.POSITIVE_INFINITY },
  },
  'a time with a fraction': { headers: timed(`${AT}.5`) },
  'a negative time': { headers: timed(-AT), options: { toleranceMs: Number.POSITIVE_INFINITY } },
};

const BAD_SECRETS = ['', 'whsec_', '!'];

describe('verifyWebhook judges as the libraries of Standard Webhooks', () => {
  const verify = ({ headers, body = BODY, options, age = 0 }: Case) =>
    verifyWebhook(
      body,
      { 'webhook-id': ID, 'webhook-timestamp': String(AT), 'webhook-signature': SIGNATURE, ...headers },
      { secret: SECRET, now: () => (AT + age) * 1_000, ...options },
    );

  it.each(Object.entries(ACCEPTED))('takes %s', async (_name, message) => {
    expect(await verify(message)).toEqual(JSON.parse(BODY));
  });

  it.each(Object.entries(REFUSED))('refuses %s', async (_name, message) => {
    await expect(verify(message)).rejects.toThrow(WebhookVerificationError);
  });

  it.each(BAD_SECRETS)('refuses the secret %j', async (secret) => {
    await expect(verify({ options: { secret } })).rejects.toThrow(TypeError);
  });

  it.each([
    ['a parsed body', { test: 1 }, {}, { secret: SECRET }, /as it was received/],
    ['no body', undefined, {}, { secret: SECRET }, /as it was received/],
    ['no headers', BODY, undefined, { secret: SECRET }, /headers/],
    ['a variable that is not set', BODY, {}, { secret: undefined }, /variable/],
    ['no secret at all', BODY, {}, { secret: [] }, /list/],
  ])('says what is missing when it is given %s', async (_name, body, headers, options, message) => {
    const verifyAny = verifyWebhook as (...given: unknown[]) => Promise<unknown>;
    await expect(verifyAny(body, headers, options)).rejects.toThrow(message);
    await expect(verifyAny(body, headers, options)).rejects.toThrow(TypeError);
  });

  it('refuses a signed message without content, which no webhook of Annals sends', async () => {
    await expect(verify({ headers: timed(AT, SECRET, ''), body: '' })).rejects.toThrow(/no JSON/);
  });
});
