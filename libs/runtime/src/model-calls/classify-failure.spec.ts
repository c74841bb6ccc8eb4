import { LLM_ERROR_TYPES, LLMError } from '@annals/llm-core';
import { classifyFailure, toSettledUsage } from './classify-failure.js';

const classify = (thrown: unknown, ended?: 'by_timeout' | 'by_caller') =>
  classifyFailure({ thrown, provider: 'claude', maxCostMicroUsd: 100, ended });

describe('classifyFailure', () => {
  it.each([
    ['a refusal with a status', new LLMError('transient', 'Down.', { status: 503 }), undefined, 0],
    ['a timeout of a gateway', new LLMError('transient', 'Late.', { status: 504 }), undefined, 100],
    ['a request that never arrived', new LLMError('transient', 'No route.', { sent: false }), undefined, 0],
    ['an error that reports its cost', new LLMError('policy', 'No.', { costMicroUsd: 7 }), undefined, 7],
    ['a refusal that was charged', new LLMError('transient', 'No.', { status: 500, costMicroUsd: 7 }), undefined, 7],
    ['a stream that was cut', new LLMError('transient', 'Cut.'), undefined, 100],
    ['a timeout', new Error('TimeoutError'), 'by_timeout' as const, 100],
    ['an abort by the caller', new Error('stopped'), 'by_caller' as const, 100],
    ['a bug', new TypeError('x is undefined'), undefined, 100],
  ])('charges %s', (_what, thrown, ended, cost) => {
    expect(classify(thrown, ended).costMicroUsd).toBe(cost);
  });

  it('marks a cost as estimated when it was not reported', () => {
    expect(classify(new LLMError('transient', 'Cut.')).usage.estimated).toBe(true);
    expect(classify(new LLMError('policy', 'No.', { costMicroUsd: 7 })).usage.estimated).toBe(false);
    expect(classify(new LLMError('transient', 'Down.', { status: 503 })).usage.estimated).toBe(false);
  });

  it('reports only failures of the provider as failures to the breaker', () => {
    const reports = LLM_ERROR_TYPES.map((type) => [type, classify(new LLMError(type, 'It failed.')).breaker]);
    expect(Object.fromEntries(reports)).toEqual({
      rate_limit: 'abandoned',
      timeout: 'failure',
      transient: 'failure',
      authentication: 'success',
      invalid_request: 'success',
      parsing: 'success',
      budget_exceeded: 'success',
      policy: 'success',
      unknown: 'success',
    });
    expect(classify(new LLMError('transient', 'Cut.'), 'by_caller')).toMatchObject({
      breaker: 'abandoned',
      outcome: 'aborted',
    });
  });

  it('creates an error when none was given by the provider', () => {
    expect(classify(new DOMException('x', 'TimeoutError'), 'by_timeout')).toMatchObject({ outcome: 'timeout' });
    expect(classify(new TypeError('words of a person')).error).toMatchObject({
      type: 'unknown',
      message: 'The call to claude failed.',
    });
  });
});

describe('toSettledUsage', () => {
  it.each([
    [12.5, 13],
    [-3, 0],
    [Number.NaN, 0],
    [1e12, 50_000_000],
    [Number.POSITIVE_INFINITY, 50_000_000],
  ])('stores %s tokens as %i', (value, tokens) => {
    expect(toSettledUsage({ inputTokens: value, outputTokens: 1 })).toMatchObject({
      inputTokens: tokens,
      outputTokens: 1,
    });
  });
});
