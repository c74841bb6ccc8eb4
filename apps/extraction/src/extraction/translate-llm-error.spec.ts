import { LLM_ERROR_TYPES, LLMError } from '@annals/llm-core';
import { translateLLMError } from './translate-llm-error.js';

describe('translateLLMError', () => {
  it.each([
    ['rate_limit', 3],
    ['timeout', 3],
    ['transient', 3],
    ['parsing', 1],
    ['authentication', 0],
    ['invalid_request', 0],
    ['budget_exceeded', 0],
    ['policy', 0],
    ['unknown', 0],
  ] as const)('tries %p again %i times', (type, retries) => {
    const kinds = Array.from({ length: 6 }, (_, index) => translateLLMError(new LLMError(type, 'x'), index + 1)?.kind);
    expect(kinds.filter((kind) => kind === 'trouble')).toHaveLength(retries);
    expect(kinds.at(-1)).toBe('mistake');
  });

  it('names every type by its code', () => {
    const codes = LLM_ERROR_TYPES.map((type) => translateLLMError(new LLMError(type, 'x'), 1)?.code);
    expect(codes).toEqual(LLM_ERROR_TYPES);
  });

  it('waits as long as the provider asks', () => {
    const fault = translateLLMError(new LLMError('rate_limit', 'x', { retryAfterMs: 7_000 }), 1);
    expect(fault?.retryAfterMs).toBe(7_000);
  });

  it('leaves other errors alone', () => {
    expect(translateLLMError(new Error('x'), 1)).toBeUndefined();
  });
});
