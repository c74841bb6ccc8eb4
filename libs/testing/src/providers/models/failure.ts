import type { Behaviour, RetryHint } from './behaviour.js';
import type { ModelApi } from './fake-request.js';

/** A complete error response. */
export interface Failure {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type Failing = Extract<Behaviour, { kind: 'error' | 'spend_limit' | 'own_spend_limit' }>;

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const OPENAI_CODES: Readonly<Record<number, { type: string; code: string | null }>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  403: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  404: { type: 'invalid_request_error', code: 'model_not_found' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  503: { type: 'server_error', code: 'server_is_overloaded' },
};

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request could not be understood.',
  401: 'The key is not valid.',
  402: 'There is a problem with your billing.',
  403: 'Your key does not have permission to use this resource.',
  404: 'The model does not exist.',
  413: 'The request is too large.',
  429: 'This request would exceed your rate limit.',
  500: 'Internal server error.',
  503: 'The server is overloaded.',
  529: 'Overloaded',
};

/** An error in the format of the API: type and code by status, hint headers as planned. */
export function buildFailure(api: ModelApi, behaviour: Failing, requestId: string, now: number): Failure {
  if (behaviour.kind === 'own_spend_limit' && api === 'anthropic') {
    const message = 'You have reached your specified API usage limits. You will regain access on 2027-01-01.';
    return { status: 400, headers: {}, body: renderError(api, { status: 400, message, requestId }) };
  }
  if (behaviour.kind !== 'error') {
    const ours = behaviour.kind === 'spend_limit' ? behaviour.code : undefined;
    const code = ours ?? (api === 'anthropic' ? 'enforced_spend_limit_reached' : 'credit_balance_exhausted');
    const message = 'You have reached your spend limit.';
    return {
      status: 429,
      headers: {},
      body: renderError(api, { status: 429, message, code, requestId, isQuota: true }),
    };
  }
  const { status, hint, code, shouldRetry, message = MESSAGES[status] ?? 'The request failed.' } = behaviour;
  return {
    status,
    headers: {
      ...(hint ? renderHint(api, hint, now) : {}),
      ...(shouldRetry === undefined ? {} : { 'x-should-retry': String(shouldRetry) }),
    },
    body: behaviour.body ?? renderError(api, { status, message, code, requestId }),
  };
}

interface ErrorFacts {
  status: number;
  message: string;
  requestId: string;
  code?: string | undefined;
  param?: string | undefined;
  isQuota?: true;
}

/** The body of an error. `code` is Anthropic's `details.error_code`, OpenAI's `code`. */
export function renderError(api: ModelApi, { status, message, requestId, code, param, isQuota }: ErrorFacts): string {
  if (api === 'anthropic') {
    const type = ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
    const details = code === undefined ? null : { error_code: code };
    return JSON.stringify({ type: 'error', error: { type, message, details }, request_id: requestId });
  }
  const usual = OPENAI_CODES[status] ?? { type: status < 500 ? 'invalid_request_error' : 'server_error', code: null };
  const type = isQuota ? 'insufficient_quota' : usual.type;
  return JSON.stringify({ error: { message, type, param: param ?? null, code: code ?? usual.code } });
}

function renderHint(api: ModelApi, hint: RetryHint, now: number): Record<string, string> {
  switch (hint.kind) {
    case 'seconds':
      return { 'retry-after': String(hint.seconds) };
    case 'ms':
      return { 'retry-after-ms': String(hint.ms) };
    case 'date':
      return { 'retry-after': new Date(now + hint.inMs).toUTCString() };
    case 'reset':
      return renderReset(api, hint.inMs, now);
    case 'none':
      return {};
  }
}

function renderReset(api: ModelApi, inMs: number, now: number): Record<string, string> {
  if (api === 'openai') {
    return {
      'x-ratelimit-limit-requests': '500',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': renderDuration(inMs),
    };
  }
  return {
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': new Date(now + inMs).toISOString(),
  };
}

/** A Go duration as in OpenAI's headers: `12ms`, `1.5s`, `6m0s`. */
export function renderDuration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1_000;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
