import { APIConnectionTimeoutError, APIError, APIUserAbortError, AnthropicError } from '@anthropic-ai/sdk';
import { LLMError, type LLMErrorType } from '../../provider/llm-error.js';
import { mapClaudeError } from './map-claude-error.js';

const NOW = Date.UTC(2026, 10, 22);
const map = (error: unknown): LLMError => mapClaudeError(error, 'claude', NOW);

function answer(status: number, type: string, code?: string, message = 'said in private'): APIError {
  const error = { type, message, ...(code ? { details: { error_code: code } } : {}) };
  return APIError.generate(status, { type: 'error', error }, undefined, new Headers({ 'request-id': 'req_1' }));
}

function inStream(type: string | null): APIError {
  // Headers of a stream were sent before its error and say nothing about it.
  const headers = new Headers({ 'retry-after': '9', 'request-id': 'req_1' });
  return new APIError(undefined, { type: 'error', error: { type, message: 'x' } }, undefined, headers);
}

describe('mapClaudeError', () => {
  // provider-facts.md §2.3
  it.each([
    [400, 'invalid_request_error', 'invalid_request'],
    [401, 'authentication_error', 'authentication'],
    [402, 'billing_error', 'authentication'],
    [403, 'permission_error', 'authentication'],
    [404, 'not_found_error', 'invalid_request'],
    [408, 'timeout_error', 'timeout'],
    [409, 'conflict_error', 'transient'],
    [412, 'invalid_request_error', 'invalid_request'],
    [413, 'request_too_large', 'invalid_request'],
    [422, 'invalid_request_error', 'invalid_request'],
    [429, 'rate_limit_error', 'rate_limit'],
    [431, 'invalid_request_error', 'invalid_request'],
    [499, 'api_error', 'transient'],
    [500, 'api_error', 'transient'],
    [501, 'api_error', 'transient'],
    [503, 'overloaded_error', 'transient'],
    [504, 'timeout_error', 'timeout'],
    [529, 'overloaded_error', 'transient'],
  ] as [number, string, LLMErrorType][])('maps status %i (%s) to %s', (status, name, type) => {
    const error = map(answer(status, name));
    expect(error).toMatchObject({ type, status, provider: 'claude', providerRequestId: 'req_1' });
    expect(error.message).not.toContain('private');
  });

  it.each([
    ['overloaded_error', 'transient'],
    ['api_error', 'transient'],
    ['timeout_error', 'timeout'],
    ['rate_limit_error', 'rate_limit'],
    ['authentication_error', 'authentication'],
    ['permission_error', 'authentication'],
    ['billing_error', 'authentication'],
    ['invalid_request_error', 'invalid_request'],
    ['not_found_error', 'invalid_request'],
    ['a_new_error', 'transient'],
    [null, 'transient'],
  ] as [string | null, LLMErrorType][])('maps stream error %s to %s', (name, type) => {
    const error = map(inStream(name));
    expect(error.type).toBe(type);
    expect(error).not.toHaveProperty('status');
    expect(error).not.toHaveProperty('retryAfterMs');
  });

  it.each([
    [429, 'enforced_spend_limit_reached', 'authentication'],
    [429, 'contract_spend_limit_reached', 'authentication'],
    [429, 'ramp_limit_exceeded', 'rate_limit'],
    [429, 'a_new_code', 'rate_limit'],
    [400, 'linked_organization_spend_limit_reached', 'authentication'],
  ] as [number, string, LLMErrorType][])('maps status %i with %s to %s', (status, code, type) => {
    expect(map(answer(status, 'rate_limit_error', code)).type).toBe(type);
  });

  it.each([
    ['You have reached your specified API usage limits.', 'authentication'],
    ['Your credit balance is too low.', 'authentication'],
    ['Output blocked by content filtering policy', 'policy'],
    ['max_tokens: the limit is 128000', 'invalid_request'],
  ] as [string, LLMErrorType][])('classifies a 400 by its message: %s', (message, type) => {
    expect(map(answer(400, 'invalid_request_error', undefined, message)).type).toBe(type);
  });

  it.each([
    [new APIConnectionTimeoutError(), 'timeout'],
    [new APIUserAbortError(), 'unknown'],
    [new AnthropicError('stream ended without producing a Message'), 'transient'],
    [new SyntaxError('Unexpected token'), 'transient'],
    [new TypeError('terminated'), 'transient'],
    [new RangeError('ours'), 'unknown'],
    ['a string', 'unknown'],
  ] as [unknown, LLMErrorType][])('maps %s to %s', (error, type) => {
    expect(map(error)).toMatchObject({ name: 'LLMError', type, provider: 'claude' });
  });

  it('returns an LLMError unchanged', () => {
    const error = new LLMError('policy', 'No.');
    expect(map(error)).toBe(error);
  });
});
