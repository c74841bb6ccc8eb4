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
  it.each(SECRETS)('replaces %s anywhere in a text', (secret) => {
    expect(sanitizeText(`before ${secret} after`)).toBe('before [secret] after');
  });

  it('replaces the credentials of a connection URL and leaves the rest unchanged', () => {
    expect(sanitizeText('postgres://annals_app:hunter2@db:5432/annals')).toBe('postgres://[secret]db:5432/annals');
  });

  it('leaves ordinary words that resemble secrets unchanged', () => {
    const text = 'the risk-free annual task-force, https://example.org/a@b, ann_x, basically';
    expect(sanitizeText(text)).toBe(text);
  });

  it('truncates strings over 1024 characters and marks them', () => {
    expect(sanitizeText('x'.repeat(1024))).toBe('x'.repeat(1024));
    const cut = sanitizeText('x'.repeat(1025));
    expect(cut).toHaveLength(1024);
    expect(cut.endsWith('x[truncated]')).toBe(true);
  });

  it('never splits a character or leaves the start of a secret when it truncates', () => {
    expect(sanitizeText('x' + '😀'.repeat(600)).isWellFormed()).toBe(true);
    expect(sanitizeText(`${'x'.repeat(1005)} ann_0123456789abcdefghijkl`)).not.toContain('ann_');
  });

  it('never exceeds the limit and marks every truncated string', () => {
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
  ])('removes %s at every depth', (name) => {
    expect(sanitizeFields({ [name]: 'v', other: 1, inner: [{ [name]: 'v', other: 2 }] })).toEqual({
      other: 1,
      inner: [{ other: 2 }],
    });
  });

  it('keeps fields whose names only contain the words token or key', () => {
    const fields = { tokenUsage: { inputTokens: 1 }, firstTokenMs: 3, keyId: 'k', estimatedTokens: 4, jobKey: 'j' };
    expect(sanitizeFields(fields)).toEqual(fields);
  });

  it.each(['content', 'quote', 'body', 'prompt', 'answer'])('removes %s, which holds user content', (name) => {
    expect(sanitizeFields({ [name]: 'I love Ada', count: 1 })).toEqual({ count: 1 });
  });

  it('limits depth and array length, cycles included', () => {
    const cycle: Record<string, unknown> = { many: Array.from({ length: 80 }, (_, index) => index) };
    cycle.self = cycle;
    const clean = sanitizeFields(cycle);
    expect(clean.many).toHaveLength(50);
    expect(JSON.stringify(clean)).toContain('[nested]');
  });

  it('converts values that JSON cannot represent: dates, big integers, functions', () => {
    expect(sanitizeFields({ at: new Date(0), big: 10n, call: () => 1, none: null, gone: undefined })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      big: '10',
      call: undefined,
      none: null,
    });
  });
});
