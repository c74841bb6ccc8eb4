import { LLM_ERROR_TYPES } from '@annals/llm-core';
import { explainFailure } from './end-batch.js';

describe('explainFailure', () => {
  it('has a message for every error type of a model call except unknown', () => {
    const codes = LLM_ERROR_TYPES.map((type) => explainFailure(type).code);
    expect(codes).toEqual(LLM_ERROR_TYPES.map((type) => (type === 'unknown' ? 'internal' : type)));
  });

  it.each([
    ['stalled_too_often', 'stalled'],
    ['queue_error', 'transient'],
    ['database_timeout', 'timeout'],
    ['internal_error', 'internal'],
    ['constructor_of_something', 'internal'],
  ])('maps %j to %j', (code, shown) => {
    expect(explainFailure(code).code).toBe(shown);
  });

  it('returns sentences that say what to do', () => {
    expect(explainFailure('authentication').message).toBe(
      "The provider rejected the API key. Correct the provider's API key, then replay the batch.",
    );
  });
});
