import fc from 'fast-check';
import { MAX_STRING_LENGTH, sanitizeFields, sanitizeText } from './sanitize.js';

const SECRETS = [
  'ann_live_0123456789abcdef',
  'sk-ant-api03-abcdefghij',
  'Bearer abc.def-ghi',
  'bearer abc.def-ghi',
  'Basic dXNlcjpwYXNz',
  'ghp_0123456789abcdefghij',
  'xoxb-0123456789-abcdef',
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
];

describe('sanitizeText', () => {
  it.each(SECRETS)('replaces %s wherever it stands', (secret) => {
    expect(sanitizeText(`before ${secret} after`)).toBe('before [secret] after');
  });

  it('replaces the credentials of a connection URL and keeps the rest', () => {
    expect(sanitizeText('postgres://annals_app:hunter2@db:5432/annals')).toBe('postgres://[secret]db:5432/annals');
  });

  it('keeps ordinary words that resemble secrets', () => {
    const text = 'the risk-free annual task-force, https://example.org/a@b, ann_x, basically';
    expect(sanitizeText(text)).toBe(text);
  });

  it('cuts what is longer than 1024 characters and says so', () => {
    expect(sanitizeText('x'.repeat(1024))).toBe('x'.repeat(1024));
    const cut = sanitizeText('x'.repeat(1025));
    expect(cut).toHaveLength(1024);
    expect(cut.endsWith('x[truncated]')).toBe(true);
  });

  it('never splits a character and never leaves the head of a secret at the cut', () => {
    expect(sanitizeText('x' + '😀'.repeat(600)).isWellFormed()).toBe(true);
    expect(sanitizeText(`${'x'.repeat(1005)} ann_0123456789abcdefghijkl`)).not.toContain('ann_');
  });

  it('is never longer than the limit, and says that it cut exactly when it did', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        const clean = sanitizeText(text);
        return clean.length <= MAX_STRING_LENGTH && (text.length <= MAX_STRING_LENGTH || clean.endsWith('[truncated]'));
      }),
    );
  });
});

describe('sanitizeFields', () => {
  it.each([
    'authorization',
    'Authorization',
    'proxy-authorization',
    'api_key',
    'apiKey',
    'APIKey',
    'x-api-key',
    'token',
    'access_token',
    'refreshToken',
    'password',
    'dbPassword',
    'secret',
    'client_secret',
    'secretKey',
    'cookie',
    'set-cookie',
  ])('strips %s at every depth', (name) => {
    expect(sanitizeFields({ [name]: 'v', kept: 1, inner: [{ [name]: 'v', kept: 2 }] })).toEqual({
      kept: 1,
      inner: [{ kept: 2 }],
    });
  });

  it('keeps names that only speak of tokens and keys', () => {
    const fields = { tokenUsage: { inputTokens: 1 }, firstTokenMs: 3, keyId: 'k', estimatedTokens: 4, jobKey: 'j' };
    expect(sanitizeFields(fields)).toEqual(fields);
  });

  it.each(['content', 'quote', 'body', 'prompt', 'answer'])('strips %s, which hold user content', (name) => {
    expect(sanitizeFields({ [name]: 'I love Ada', count: 1 })).toEqual({ count: 1 });
  });

  it('stops at depth and length, cycles included', () => {
    const cycle: Record<string, unknown> = { many: Array.from({ length: 80 }, (_, index) => index) };
    cycle.self = cycle;
    const clean = sanitizeFields(cycle);
    expect(clean.many).toHaveLength(50);
    expect(JSON.stringify(clean)).toContain('[nested]');
  });

  it('writes what JSON cannot: dates, big integers, functions', () => {
    expect(sanitizeFields({ at: new Date(0), big: 10n, call: () => 1, none: null, gone: undefined })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      big: '10',
      call: undefined,
      none: null,
    });
  });
});
