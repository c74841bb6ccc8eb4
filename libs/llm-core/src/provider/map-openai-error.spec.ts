import { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { LLMError, type LLMErrorType } from './llm-error.js';
import { mapOpenAIError } from './map-openai-error.js';

const NOW = Date.UTC(2026, 10, 22);
const map = (error: unknown): LLMError => mapOpenAIError(error, 'openai', NOW);

function answer(status: number, facts: { code?: string; type?: string } = {}): APIError {
  const headers = new Headers({ 'x-request-id': 'req_1' });
  return APIError.generate(status, { error: { message: 'said in private', ...facts } }, undefined, headers);
}

function inStream(facts: { code?: string; type?: string }): APIError {
  return new APIError(undefined, { message: 'x', ...facts }, undefined, new Headers({ 'retry-after': '9' }));
}

describe('mapOpenAIError', () => {
  // provider-facts.md §3.4
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
    [425, 'transient'],
    [429, 'rate_limit'],
    [500, 'transient'],
    [502, 'transient'],
    [503, 'transient'],
    [504, 'timeout'],
    [529, 'transient'],
  ] as [number, LLMErrorType][])('maps status %i to %s', (status, type) => {
    const error = map(answer(status));
    expect(error).toMatchObject({ type, status, provider: 'openai', providerRequestId: 'req_1' });
    expect(error.message).not.toContain('private');
  });

  it.each([
    [429, { code: 'rate_limit_exceeded' }, 'rate_limit'],
    [429, { code: 'slow_down' }, 'rate_limit'],
    [429, { type: 'insufficient_quota' }, 'authentication'],
    [429, { type: 'insufficient_quota', code: 'credit_balance_exhausted' }, 'authentication'],
    [429, { code: 'organization_spend_limit_exceeded' }, 'authentication'],
    [429, { code: 'project_spend_limit_exceeded' }, 'authentication'],
    [429, { code: 'organization_usage_limit_exceeded' }, 'authentication'],
    [400, { code: 'billing_hard_limit_reached' }, 'authentication'],
    [503, { code: 'server_is_overloaded' }, 'transient'],
    [503, { code: 'slow_down' }, 'transient'],
    [400, { code: 'content_filter' }, 'policy'],
    [400, { code: 'content_policy_violation' }, 'policy'],
    [400, { code: 'context_length_exceeded' }, 'invalid_request'],
  ] as [number, object, LLMErrorType][])('maps status %i with %j to %s', (status, facts, type) => {
    expect(map(answer(status, facts)).type).toBe(type);
  });

  it.each([
    [{ type: 'server_error', code: 'server_is_overloaded' }, 'transient'],
    [{ type: 'server_error' }, 'transient'],
    [{ type: 'requests', code: 'rate_limit_exceeded' }, 'rate_limit'],
    [{ type: 'insufficient_quota' }, 'authentication'],
    [{ code: 'content_filter' }, 'policy'],
    [{ type: 'invalid_request_error' }, 'invalid_request'],
    [{}, 'transient'],
  ] as [object, LLMErrorType][])('maps stream error %j to %s', (facts, type) => {
    const error = map(inStream(facts));
    expect(error.type).toBe(type);
    expect(error).not.toHaveProperty('status');
    expect(error).not.toHaveProperty('retryAfterMs');
  });

  it.each([
    [new APIConnectionTimeoutError(), 'timeout'],
    [new APIUserAbortError(), 'unknown'],
    [new SyntaxError('Unexpected token'), 'transient'],
    [new TypeError('terminated'), 'transient'],
    [new RangeError('ours'), 'unknown'],
    ['a string', 'unknown'],
  ] as [unknown, LLMErrorType][])('maps %s to %s', (error, type) => {
    expect(map(error)).toMatchObject({ name: 'LLMError', type, provider: 'openai' });
  });

  it('returns an LLMError unchanged', () => {
    const error = new LLMError('policy', 'No.');
    expect(map(error)).toBe(error);
  });
});
