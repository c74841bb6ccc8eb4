import { type Clock, ManualClock } from '@annals/domain';
import type { Behaviour, FakeModels } from '@annals/testing';
import { LLMError, type LLMErrorType } from '../../provider/llm-error.js';
import type { LLMProvider } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import type { LLMResponse } from '../../provider/llm-response.js';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { NOW, TIMEOUT_MS, connectClaude, connectOpenAI, useServers } from './connect.fixture.js';

const SECRET = 'mark-secret';
const start = useServers();

const CONNECT = {
  claude: (server: FakeModels, clock?: Clock) => connectClaude(server, clock ? { clock } : {}),
  openai: (server: FakeModels, clock?: Clock) => connectOpenAI(server, clock ? { clock } : {}),
} satisfies Record<string, (server: FakeModels, clock?: Clock) => LLMProvider>;
const NAMES = ['claude', 'openai'] as const;
type Name = (typeof NAMES)[number];

const CALLS = {
  send: (provider: LLMProvider, request: LLMRequest): Promise<LLMResponse> => provider.send(request),
  stream: (provider: LLMProvider, request: LLMRequest): Promise<LLMResponse> =>
    provider.stream!(request, { onText: () => {} }),
};
const WAYS = ['send', 'stream'] as const;
const CASES = NAMES.flatMap((name) => WAYS.map((way) => [name, way] as const));

function requestWithSecret(): LLMRequest {
  const said = { id: 'm1', role: 'user' as const, actorId: null, content: `My word is ${SECRET}.`, createdAt: NOW };
  return sampleRequest({ conversation: { messages: [said], context: [] } });
}

/** The error of a call, after exactly one request once the endpoint capabilities are known. */
async function failAfter(
  name: Name,
  way: (typeof WAYS)[number],
  behaviour: Behaviour,
  timesOut = false,
): Promise<{ error: LLMError; provider: LLMProvider; request: LLMRequest; server: FakeModels }> {
  const server = await start();
  const clock = new ManualClock(NOW);
  const provider = CONNECT[name](server, clock);
  await CONNECT[name](server).send(sampleRequest());
  server.journal.clear();
  server.plan(behaviour);
  const request = requestWithSecret();
  const ending = CALLS[way](provider, request).catch((caught: unknown) => caught);
  if (timesOut) {
    await server.journal.waitFor((entries) => entries.length > 0);
    clock.advance(TIMEOUT_MS);
  }
  const error: unknown = await ending;
  expect(clock.waiting).toBe(0);
  expect(error).toMatchObject({ name: 'LLMError', provider: name });
  expect(server.journal.entries).toHaveLength(1);
  expect(JSON.stringify(error) + String(error)).not.toContain(SECRET);
  expect(String(error)).toMatch(/^LLMError: [^\n]+\.$/);
  return { error: error as LLMError, provider, request, server };
}

describe.each(CASES)('a call to %s with %s', (name, way) => {
  it.each([
    [400, 'invalid_request'],
    [401, 'authentication'],
    [402, 'authentication'],
    [403, 'authentication'],
    [404, 'invalid_request'],
    [408, 'timeout'],
    [409, 'transient'],
    [413, 'invalid_request'],
    [422, 'invalid_request'],
    [429, 'rate_limit'],
    [500, 'transient'],
    [503, 'transient'],
    [504, 'timeout'],
    [529, 'transient'],
  ] as [number, LLMErrorType][])('maps status %i to %s, without a cost and without a retry', async (status, type) => {
    const message = `refused because of ${SECRET}`;
    const { error } = await failAfter(name, way, { kind: 'error', status, message, shouldRetry: true });
    expect(error).toMatchObject({ type, status, providerRequestId: expect.stringMatching(/^req_/) as string });
    expect(error).not.toHaveProperty('costMicroUsd');
  });

  it('maps an error that is not JSON by its status', async () => {
    const { error } = await failAfter(name, way, { kind: 'error', status: 502, body: `<html>${SECRET}</html>` });
    expect(error).toMatchObject({ type: 'transient', status: 502 });
  });

  it.each([
    [{ kind: 'seconds', seconds: 3 }, 3_000],
    [{ kind: 'ms', ms: 250 }, 250],
    [{ kind: 'date', inMs: 5_000 }, 5_000],
  ] as const)('passes on the retry hint %j', async (hint, retryAfterMs) => {
    const { error } = await failAfter(name, way, { kind: 'error', status: 429, hint });
    expect(error).toMatchObject({ type: 'rate_limit', retryAfterMs, rateLimits: { blockedUntil: NOW + retryAfterMs } });
    expect(error).not.toHaveProperty('derivedRetry');
  });

  it('derives the retry hint from the rate limits', async () => {
    const { error } = await failAfter(name, way, { kind: 'error', status: 429, hint: { kind: 'reset', inMs: 90_000 } });
    expect(error).toMatchObject({
      retryAfterMs: 90_000,
      derivedRetry: true,
      rateLimits: { requests: { remaining: 0, resetAt: NOW + 90_000 }, blockedUntil: NOW + 90_000 },
    });
  });

  it('passes on the retry hint of a 503', async () => {
    const hint = { kind: 'seconds', seconds: 7 } as const;
    const { error } = await failAfter(name, way, { kind: 'error', status: 503, hint });
    expect(error).toMatchObject({ type: 'transient', retryAfterMs: 7_000 });
    expect(error.rateLimits?.blockedUntil).toBeUndefined();
  });

  it.each([{ kind: 'spend_limit' }, { kind: 'own_spend_limit' }] as Behaviour[])(
    'maps %j to an error that is not retried and says what to do',
    async (behaviour) => {
      const { error } = await failAfter(name, way, behaviour);
      expect(error).toMatchObject({ type: 'authentication', retryable: false });
      expect(error.message).toBe(
        `The account at ${name} has reached its spend limit or has no balance left: raise the limit or add credit there.`,
      );
      expect(error).not.toHaveProperty('retryAfterMs');
    },
  );

  it('fails as transient, not sent and without a cost when the server is unreachable', async () => {
    const server = await start();
    const provider = CONNECT[name](server);
    await server.close();
    const error: unknown = await CALLS[way](provider, sampleRequest()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ type: 'transient', sent: false });
    expect(error).not.toHaveProperty('costMicroUsd');
  });

  it.each([
    ['whose connection is reset', { kind: 'reset' }],
    ['with an unreadable body', { kind: 'garbage', body: `<html>${SECRET}</html>` }],
    ['that breaks off', { kind: 'answer', broken: { at: 'middle', how: 'reset' } }],
  ] as [string, Behaviour][])('maps a response %s to a transient error that is charged', async (_what, behaviour) => {
    const { error, provider, request, server } = await failAfter(name, way, behaviour);
    expect(error).toMatchObject({ type: 'transient', usage: { estimated: true } });
    expect(error).not.toHaveProperty('sent');
    expect(error.costMicroUsd).toBeLessThanOrEqual(provider.estimateMaxCost(request));
    expect(error.costMicroUsd! * 1_000).toBeGreaterThanOrEqual(server.journal.summarize().costNanoUsd);
    expect(error.costMicroUsd).toBeGreaterThan(0);
  });

  it.each([
    ['that hangs', { kind: 'hang' }],
    ['that stalls', { kind: 'answer', broken: { at: 'middle', how: 'stall' } }],
  ] as [string, Behaviour][])('maps a response %s to a timeout that is charged', async (_what, behaviour) => {
    const { error } = await failAfter(name, way, behaviour, true);
    expect(error).toMatchObject({ type: 'timeout', usage: { estimated: true } });
    expect(error.costMicroUsd).toBeGreaterThan(0);
  });

  it.each(['hang', 'stall'] as const)(
    'rejects with the reason of the signal when aborted during a %s',
    async (kind) => {
      const server = await start();
      const provider = CONNECT[name](server);
      await provider.send(sampleRequest());
      server.plan(kind === 'hang' ? { kind } : { kind: 'answer', broken: { at: 'middle', how: kind } });
      const controller = new AbortController();
      const calling = CALLS[way](provider, sampleRequest({ signal: controller.signal }));
      const known = server.journal.entries.length;
      await server.journal.waitFor((entries) => entries.length > known);
      const reason = new Error('stopped by the test');
      controller.abort(reason);
      await expect(calling).rejects.toBe(reason);
    },
  );

  it('returns an answer truncated at the output limit with finish reason `length`', async () => {
    const server = await start();
    server.plan({ kind: 'answer', stop: 'truncated' });
    const response = await CALLS[way](CONNECT[name](server), sampleRequest());
    expect(response.finishReason).toBe('length');
    expect(response.text).not.toBe('');
  });

  it('estimates missing usage, never below the amount charged', async () => {
    const server = await start();
    const provider = CONNECT[name](server);
    server.plan({ kind: 'answer', usage: 'missing' });
    const { usage, costMicroUsd } = await CALLS[way](provider, sampleRequest());
    expect(usage.estimated).toBe(true);
    expect(costMicroUsd).toBe(provider.estimateCost(usage));
    expect(costMicroUsd * 1_000).toBeGreaterThanOrEqual(server.journal.summarize().costNanoUsd);
  });

  it('does not mark reported usage as estimated', async () => {
    const response = await CALLS[way](CONNECT[name](await start()), sampleRequest());
    expect(response.usage).not.toHaveProperty('estimated');
  });
});

describe.each(NAMES)('a stream of %s', (name) => {
  it.each([
    ['overloaded', 'transient'],
    ['server', 'transient'],
    ['rate_limit', 'rate_limit'],
    ['end', 'transient'],
  ] as const)('maps the stream error %s to %s and includes the cost', async (how, type) => {
    for (const at of ['start', 'middle', 'end'] as const) {
      const { error, server } = await failAfter(name, 'stream', { kind: 'answer', broken: { at, how } });
      expect(error).toMatchObject({ type, usage: { estimated: true } });
      expect(error.status).toBeUndefined();
      expect(error.costMicroUsd! * 1_000).toBeGreaterThanOrEqual(server.journal.summarize().costNanoUsd);
    }
  });

  it('returns the same text for any chunk size', async () => {
    const server = await start();
    const provider = CONNECT[name](server);
    const said = { id: 'm1', role: 'user' as const, actorId: null, content: 'I adore 😀 and ñandú.', createdAt: NOW };
    const request = sampleRequest({ conversation: { messages: [said], context: [] } });
    const { text } = await provider.send(request);
    for (const pieceLength of [1, 2, 7, 1_000]) {
      server.plan({ kind: 'answer', pieceLength });
      expect((await provider.stream(request, { onText: () => {} })).text.toWellFormed()).toBe(text);
    }
  });

  it('measures the time to the first token from sending the request', async () => {
    const server = await start();
    const clock = new ManualClock(NOW);
    const provider = CONNECT[name](server, clock);
    // Once the capabilities of the endpoint are known, one request is sent.
    await provider.send(sampleRequest());
    server.journal.clear();
    server.plan({ kind: 'answer', delayMs: 60 });
    const onFirstToken = vi.fn();
    const answering = provider.stream(sampleRequest(), { onFirstToken, onText: () => {} });
    await server.journal.waitFor((entries) => entries.length > 0);
    clock.advance(750);
    expect((await answering).firstTokenMs).toBe(750);
    expect(onFirstToken.mock.calls).toEqual([[750]]);
  });

  it('is charged by its reported usage, if any, when aborted with an LLMError', async () => {
    const server = await start();
    const provider = CONNECT[name](server);
    const request = sampleRequest();
    await provider.send(request);
    server.plan({ kind: 'answer', pieceLength: 4, broken: { at: 'middle', how: 'stall' } });
    const idleTimeout = new AbortController();
    const streaming = provider.stream(
      { ...request, signal: idleTimeout.signal },
      { onText: () => idleTimeout.abort(new LLMError('timeout', 'The stream is idle.')) },
    );
    const error = (await streaming.catch((caught: unknown) => caught)) as LLMError;
    expect(error).toMatchObject({ name: 'LLMError', type: 'timeout', usage: { estimated: true } });
    const maxCost = provider.estimateMaxCost(request);
    // Only Claude reports its input tokens before the answer.
    if (name === 'claude') expect(error.costMicroUsd).toBeLessThan(maxCost);
    else expect(error.costMicroUsd).toBe(maxCost);
  });
});

describe('the codes of a spend limit', () => {
  it.each([
    ['claude', 'enforced_spend_limit_reached'],
    ['claude', 'contract_spend_limit_reached'],
    ['claude', 'linked_organization_spend_limit_reached'],
    ['openai', 'credit_balance_exhausted'],
    ['openai', 'organization_spend_limit_exceeded'],
    ['openai', 'project_spend_limit_exceeded'],
    ['openai', 'organization_usage_limit_exceeded'],
    ['openai', 'insufficient_quota'],
  ] as const)('of %s include %s', async (name, code) => {
    const { error } = await failAfter(name, 'send', { kind: 'spend_limit', code });
    expect(error).toMatchObject({ type: 'authentication', status: 429 });
  });

  it.each([
    ['claude', 'ramp_limit_exceeded'],
    ['openai', 'slow_down'],
    ['openai', 'rate_limit_exceeded'],
  ] as const)('of %s do not include %s, which is a rate limit', async (name, code) => {
    const { error } = await failAfter(name, 'send', { kind: 'error', status: 429, code });
    expect(error).toMatchObject({ type: 'rate_limit', retryable: true });
  });
});

describe('a content filter', () => {
  it.each([
    ['openai', { kind: 'error', status: 400, code: 'content_filter' }],
    ['openai', { kind: 'error', status: 400, code: 'content_policy_violation' }],
    ['claude', { kind: 'error', status: 400, message: 'Output blocked by content filtering policy' }],
  ] as [Name, Behaviour][])('of %s is mapped to policy (%j)', async (name, behaviour) => {
    expect((await failAfter(name, 'send', behaviour)).error.type).toBe('policy');
  });
});
