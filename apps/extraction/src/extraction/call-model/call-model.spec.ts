import { ManualClock, SeededRng } from '@annals/domain';
import { LLMError, type LLMErrorType, type LLMProvider } from '@annals/llm-core';
import { createLogger, createMetrics } from '@annals/observability';
import type { ModelCall, ModelCallResult, ModelCalls } from '@annals/runtime';
import type { PastCall } from '@annals/storage';
import { callModel } from './call-model.js';
import type { BatchRequest } from './batch-request.js';

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

  /** Model calls with the results that a test defines; nothing is sent. */
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
  const run = (
    scripted: ModelCallResult<unknown>[],
    more: { past?: PastCall[]; mayRunMs?: number; signal?: AbortSignal } = {},
  ) => {
    results = scripted;
    sentCalls.length = 0;
    const rng = new SeededRng(1);
    rng.setSequence([0.5]);
    const batchRequest = {
      batch: { tenantId: 't', userId: 'u', batchId: 'b', fence: 1, generation: 1 },
      attempt: {
        signal: more.signal ?? new AbortController().signal,
        withoutSlot: (wait: () => Promise<unknown>) => wait(),
      },
      request: { requestId: 'r' },
      promptTokens: 10,
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

  it('delays the job by the wait of the rate limiter', async () => {
    const refused = { outcome: 'refused', why: 'rate', reason: 'pace', retryInMs: 900 } as const;
    expect(await run([refused])).toEqual({ ends: 'delayed', delayMs: 900 });
  });

  it('defers a batch that exceeds the budget until after midnight, spread over a minute', async () => {
    const refusal = { why: 'budget', scope: 'tenant', limitMicroUsd: 100, shortfallMicroUsd: 7 } as const;
    expect(await run([{ outcome: 'refused', ...refusal, until: MIDNIGHT }])).toEqual({
      ends: 'deferred',
      reason: 'budget_exceeded',
      until: MIDNIGHT + 30_000,
      shortfallMicroUsd: 7,
    });
  });

  it('defers a batch for seconds when only open reservations exceed the budget', async () => {
    const refusal = { why: 'budget', scope: 'tenant', limitMicroUsd: 100, shortfallMicroUsd: 7 } as const;
    expect(await run([{ outcome: 'refused', ...refusal, until: NOW + 10_000 }])).toMatchObject({
      ends: 'deferred',
      until: NOW + 15_000,
    });
  });

  it('fails permanently when the call alone exceeds a budget', async () => {
    const refusal = { why: 'budget_too_small', scope: 'tenant', limitMicroUsd: 1, shortfallMicroUsd: 9 } as const;
    await expect(run([{ outcome: 'refused', ...refusal }])).rejects.toMatchObject({ code: 'budget_too_small' });
  });

  it.each([
    ['until the circuit lets a probe through', NOW + 30_000, NOW + 31_000],
    ['for a moment, when its clock is behind', NOW - 5, NOW + 1_050],
  ])('defers a batch with an open circuit %s', async (_what, retryAt, until) => {
    const refused = { outcome: 'refused', why: 'circuit', state: 'open', retryAt } as const;
    expect(await run([refused])).toEqual({
      ends: 'deferred',
      reason: 'circuit_open',
      until,
      shortfallMicroUsd: null,
    });
    expect(sentCalls).toHaveLength(1);
  });

  it('waits out a short Retry-After itself and delays the job for a long one', async () => {
    expect(await run([fail('rate_limit', 5_001)])).toEqual({ ends: 'delayed', delayMs: 5_001 });
    expect(await run([fail('rate_limit', 10), fail('rate_limit', 60_000)])).toMatchObject({ ends: 'delayed' });
    expect(sentCalls).toHaveLength(2);
  });

  it('starts no call that could exceed the job’s timeout', async () => {
    expect(await run([], { mayRunMs: 59_000 })).toEqual({ ends: 'delayed', delayMs: 50 });
    expect(sentCalls).toHaveLength(0);
  });

  it('stops waiting when the job is aborted', async () => {
    const stopped = new AbortController();
    const running = run([fail('transient')], { signal: stopped.signal });
    stopped.abort(new Error('the worker stops'));
    await expect(running).rejects.toThrow('the worker stops');
  });

  it('throws the type of the last error when all retries are exhausted', async () => {
    await expect(run([fail('policy')])).rejects.toMatchObject({ kind: 'permanent', code: 'policy' });
  });
});
