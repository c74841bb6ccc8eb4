import {
  CLAUDE_LIMIT_HEADERS,
  OPENAI_LIMIT_HEADERS,
  parseBackoffHint,
  parseRateLimits,
  parseReset,
} from './parse-limit-headers.js';

const NOW = Date.UTC(2026, 10, 22, 12);

describe('parseReset', () => {
  it.each([
    ['1s', 1_000],
    ['6m0s', 360_000],
    ['1.5s', 1_500],
    ['12ms', 12],
    ['2m59.56s', 179_560],
    ['1h0m0s', 3_600_000],
    ['0.4ms', 1],
    ['20', 20_000],
    ['0.5', 500],
    ['0', 0],
    ['2026-11-22T12:00:30Z', 30_000],
    ['2026-11-22T12:00:30.250Z', 30_250],
    ['2026-11-22T13:00:00+01:00', 0],
    ['2026-11-22T11:00:00Z', 0],
  ])('parses %s', (text, inMs) => {
    expect(parseReset(text, NOW)).toBe(NOW + inMs);
  });

  it.each([null, '', '-1', 'soon', '5x', 'm', '1s 2', '2026-99-99T00:00:00Z', 'Infinity', '1e3'])(
    'returns undefined for %j',
    (text) => {
      expect(parseReset(text, NOW)).toBeUndefined();
    },
  );
});

function openAI(
  figures: { limit?: string; remaining?: string; reset?: string },
  kind = 'requests',
): [string, string][] {
  return Object.entries(figures).map(([figure, value]) => [`x-ratelimit-${figure}-${kind}`, value]);
}

function claude(
  figures: { limit?: string; remaining?: string; reset?: string },
  kind = 'requests',
): [string, string][] {
  return Object.entries(figures).map(([figure, value]) => [`anthropic-ratelimit-${kind}-${figure}`, value]);
}

describe('parseRateLimits', () => {
  it("parses OpenAI's headers", () => {
    const headers = new Headers([
      ...openAI({ limit: '500', remaining: '499', reset: '120ms' }),
      ...openAI({ limit: '90000', remaining: '0', reset: '6m0s' }, 'tokens'),
    ]);
    expect(parseRateLimits(headers, OPENAI_LIMIT_HEADERS, NOW)).toEqual({
      requests: { limit: 500, remaining: 499, resetAt: NOW + 120 },
      tokens: { limit: 90_000, remaining: 0, resetAt: NOW + 360_000 },
    });
  });

  it("parses Claude's headers and prefers its tightest token limit to the input limit", () => {
    const reset = '2026-11-22T12:00:10Z';
    const input = claude({ limit: '40000', remaining: '10', reset }, 'input-tokens');
    const all = claude({ limit: '50000', remaining: '7', reset }, 'tokens');
    expect(parseRateLimits(new Headers([...input, ...all]), CLAUDE_LIMIT_HEADERS, NOW)).toEqual({
      tokens: { limit: 50_000, remaining: 7, resetAt: NOW + 10_000 },
    });
    expect(parseRateLimits(new Headers(input), CLAUDE_LIMIT_HEADERS, NOW)).toEqual({
      tokens: { limit: 40_000, remaining: 10, resetAt: NOW + 10_000 },
    });
  });

  it.each([
    ['no headers', [], undefined],
    ['an unknown limit', openAI({ limit: '-1', remaining: '-1', reset: '-1' }), undefined],
    ['an incomplete limit', openAI({ limit: '500', reset: '1s' }), undefined],
    [
      'an unreadable reset, as one minute',
      openAI({ limit: '500', remaining: '3', reset: '-1' }),
      { requests: { limit: 500, remaining: 3, resetAt: NOW + 60_000 } },
    ],
  ])('parses %s', (_what, headers, expected) => {
    expect(parseRateLimits(new Headers(headers), OPENAI_LIMIT_HEADERS, NOW)).toEqual(expected);
  });
});

describe('parseBackoffHint', () => {
  it.each([
    ['Retry-After in seconds', [['retry-after', '3']], { retryAfterMs: 3_000 }],
    [
      'retry-after-ms before Retry-After',
      [
        ['retry-after', '3'],
        ['retry-after-ms', '250'],
      ],
      { retryAfterMs: 250 },
    ],
    ['Retry-After as a date', [['retry-after', 'Sun, 22 Nov 2026 12:00:05 GMT']], { retryAfterMs: 5_000 }],
    [
      'the reset of the exhausted limit',
      [
        ...openAI({ limit: '5', remaining: '0', reset: '2s' }),
        ...openAI({ limit: '9', remaining: '5', reset: '6m' }, 'tokens'),
      ],
      { retryAfterMs: 2_000, derivedRetry: true },
    ],
    [
      'the later reset if both limits are exhausted',
      [
        ...openAI({ limit: '5', remaining: '0', reset: '2s' }),
        ...openAI({ limit: '9', remaining: '0', reset: '6s' }, 'tokens'),
      ],
      { retryAfterMs: 6_000, derivedRetry: true },
    ],
    [
      'the token reset if requests remain',
      [
        ...openAI({ limit: '5', remaining: '4', reset: '9s' }),
        ...openAI({ limit: '9', remaining: '3', reset: '6s' }, 'tokens'),
      ],
      { retryAfterMs: 6_000, derivedRetry: true },
    ],
    [
      'Retry-After before a derived reset',
      [['retry-after', '1'], ...openAI({ limit: '5', remaining: '0', reset: '2s' })],
      { retryAfterMs: 1_000 },
    ],
  ] as [string, [string, string][], { retryAfterMs: number }][])('uses %s after a 429', (_what, headers, expected) => {
    const { rateLimits, ...hint } = parseBackoffHint(new Headers(headers), OPENAI_LIMIT_HEADERS, 'rate_limit', NOW);
    expect(hint).toEqual(expected);
    expect(rateLimits?.blockedUntil).toBe(NOW + expected.retryAfterMs);
  });

  it.each<[string, [string, string][]]>([
    ['a month', [['retry-after', '2592000']]],
    ['an infinite number of seconds', [['retry-after', '9'.repeat(400)]]],
    ['many years, as a date', [['retry-after', 'Sun, 22 Nov 2099 12:00:05 GMT']]],
    ['two days, as a reset', openAI({ limit: '5', remaining: '0', reset: '48h' })],
  ])('clamps a wait of %s to one hour', (_what, headers) => {
    const hint = parseBackoffHint(new Headers(headers), OPENAI_LIMIT_HEADERS, 'rate_limit', NOW);
    expect([hint.retryAfterMs, hint.rateLimits?.blockedUntil]).toEqual([3_600_000, NOW + 3_600_000]);
    expect(hint.rateLimits?.requests?.resetAt ?? 0).toBeLessThanOrEqual(NOW + 3_600_000);
  });

  it('returns no wait when there are no headers or the limit is already reset', () => {
    const read = (...headers: [string, string][]) =>
      parseBackoffHint(new Headers(headers), OPENAI_LIMIT_HEADERS, 'rate_limit', NOW);
    expect(read()).toEqual({});
    expect(read(...openAI({ limit: '5', remaining: '0', reset: '0' }))).toEqual({
      rateLimits: { requests: { limit: 5, remaining: 0, resetAt: NOW } },
    });
  });

  it('derives no wait from limits for errors other than a rate limit', () => {
    const headers = new Headers(openAI({ limit: '5', remaining: '0', reset: '2s' }));
    const hint = parseBackoffHint(headers, OPENAI_LIMIT_HEADERS, 'transient', NOW);
    expect(hint).toEqual({ rateLimits: { requests: { limit: 5, remaining: 0, resetAt: NOW + 2_000 } } });
  });
});
