import { ManualClock, SeededRng } from '@annals/domain';
import { LLMError, type LLMErrorType, type LLMProvider } from '@annals/llm-core';
import { createLogger, createMetrics } from '@annals/observability';
import type { ModelCall, ModelCallResult, ModelCalls } from '@annals/runtime';
import type { PastCall } from '@annals/storage';
import { callModel } from './call-model.js';
import type { BatchRequest } from './call-remote.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const MIDNIGHT = Date.UTC(2026, 0, 2);

const provider = {
  name: 'claude',
  model: 'haiku',
  getCapabilities: () => ({ remote: true, streaming: false, maxOutputTokens: 4_096 }),
  estimateMaxCost: () => 10,
  estimateTokens: () => 10,
} as unknown as LLMProvider;

describe('callModel', () => {
  const clock = new ManualClock(NOW);
  const sentCalls: ModelCall<unknown>[] = [];
  let results: ModelCallResult<unknown>[];

  /** Model calls that answer what a test wants; nothing is sent. */
  const modelCalls = {
    run: (call: ModelCall<unknown>) => {
      sentCalls.push(call);
      return Promise.resolve(results.shift()!);
    },
  } as unknown as ModelCalls;
  const fail = (type: LLMErrorType, retryAfterMs?: number): ModelCallResult<unknown> => {
    const error = new LLMError(type, 'x', retryAfterMs === undefined ? {} : { retryAfterMs });
    return { outcome: 'failed', callId: 'c', error, costMicroUsd: 0 };
  };
  const ask = (
    door: ModelCallResult<unknown>[],
    more: { past?: PastCall[]; mayRunMs?: number; signal?: AbortSignal } = {},
  ) => {
    results = door;
    sentCalls.length = 0;
    const rng = new SeededRng(1);
    rng.setSequence([0.5]);
    const batchRequest = {
      tenantId: 't',
      userId: 'u',
      batch: { batchId: 'b', fence: 1, generation: 1 },
      request: { requestId: 'r' },
      promptTokens: 10,
      signal: more.signal ?? new AbortController().signal,
      withoutSlot: (wait: () => Promise<unknown>) => wait(),
    } as unknown as BatchRequest;
    const deps = {
      chain: [provider] as const,
      modelCalls,
      clock,
      rng,
      logger: createLogger({ service: 't', level: 'error', clock, destination: { write: () => undefined } }),
      metrics: createMetrics({ service: 't', version: '0', processMetrics: false }),
      options: { timeoutMs: 60_000, maxOutputTokens: 4_096, streaming: false },
    };
    return callModel(deps, batchRequest, more.past ?? [], more.mayRunMs ?? 300_000);
  };

  it('frees the worker for as long as the rate limiter asks', async () => {
    const refused = { outcome: 'refused', why: 'rate', reason: 'pace', retryInMs: 900 } as const;
    expect(await ask([refused])).toEqual({ outcome: 'delayed', delayMs: 900 });
  });

  it('puts off what the budget has no room for until after midnight, spread over a minute', async () => {
    const refusal = { why: 'budget', scope: 'tenant', limitMicroUsd: 100, shortfallMicroUsd: 7 } as const;
    expect(await ask([{ outcome: 'refused', ...refusal, until: MIDNIGHT }])).toEqual({
      outcome: 'deferred',
      reason: 'budget_exceeded',
      until: MIDNIGHT + 30_000,
      shortfallMicroUsd: 7,
    });
  });

  it('comes back in seconds when it is only reserved that leaves no room', async () => {
    const refusal = { why: 'budget', scope: 'tenant', limitMicroUsd: 100, shortfallMicroUsd: 7 } as const;
    expect(await ask([{ outcome: 'refused', ...refusal, until: NOW + 10_000 }])).toMatchObject({
      outcome: 'deferred',
      until: NOW + 15_000,
    });
  });

  it('gives up on what no budget could ever admit', async () => {
    const refusal = { why: 'budget_too_small', scope: 'tenant', limitMicroUsd: 1, shortfallMicroUsd: 9 } as const;
    await expect(ask([{ outcome: 'refused', ...refusal }])).rejects.toMatchObject({ code: 'budget_too_small' });
  });

  it.each([
    ['until the circuit lets a probe through', NOW + 30_000, NOW + 31_000],
    ['a moment, when its clock is behind', NOW - 5, NOW + 1_050],
  ])('puts off what no provider may be asked for %s', async (_what, retryAt, until) => {
    const refused = { outcome: 'refused', why: 'circuit', state: 'open', retryAt } as const;
    expect(await ask([refused])).toEqual({
      outcome: 'deferred',
      reason: 'circuit_open',
      until,
      shortfallMicroUsd: null,
    });
    expect(sentCalls).toHaveLength(1);
  });

  it('sleeps a short hint and frees the worker for a long one', async () => {
    expect(await ask([fail('rate_limit', 5_001)])).toEqual({ outcome: 'delayed', delayMs: 5_001 });
    expect(await ask([fail('rate_limit', 10), fail('rate_limit', 60_000)])).toMatchObject({ outcome: 'delayed' });
    expect(sentCalls).toHaveLength(2);
  });

  it('begins no call that the job has no time to end', async () => {
    expect(await ask([], { mayRunMs: 59_000 })).toEqual({ outcome: 'delayed', delayMs: 50 });
    expect(sentCalls).toHaveLength(0);
  });

  it('ends its sleep when the job is stopped', async () => {
    const stopped = new AbortController();
    const asking = ask([fail('transient')], { signal: stopped.signal });
    stopped.abort(new Error('the worker stops'));
    await expect(asking).rejects.toThrow('the worker stops');
  });

  it('throws the last error’s type when nothing is left to try', async () => {
    await expect(ask([fail('policy')])).rejects.toMatchObject({ kind: 'permanent', code: 'policy' });
  });
});
