import { LLM_ERROR_TYPES } from '@annals/llm-core';
import { explainFailure } from './explain-failure.js';

describe('explainFailure', () => {
  it('names every way a model call fails, except the unknown one', () => {
    const codes = LLM_ERROR_TYPES.map((type) => explainFailure(type).code);
    expect(codes).toEqual(LLM_ERROR_TYPES.map((type) => (type === 'unknown' ? 'internal' : type)));
  });

  it.each([
    ['stalled_too_often', 'stalled'],
    ['queue_error', 'transient'],
    ['internal_error', 'internal'],
    ['constructor_of_something', 'internal'],
  ])('shows %j as %j', (code, shown) => {
    expect(explainFailure(code).code).toBe(shown);
  });

  it('says in whole sentences what to do', () => {
    expect(explainFailure('authentication').message).toBe(
      "The provider refused its key. Correct the provider's key, then replay the batch.",
    );
  });
});
