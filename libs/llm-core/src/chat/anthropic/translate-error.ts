import type { APIError } from '@anthropic-ai/sdk';
import type { JsonObject } from '../../parsing/json-tree.js';
import type { ChatRequestError } from './chat-request-error.js';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** The body of an error in OpenAI’s form, with what Anthropic says as message and code. */
export function translateError({ status, type, apiMessage }: APIError): JsonObject {
  const known = status === undefined ? undefined : TYPES[status];
  const message =
    apiMessage ?? `The model’s server answered with ${status === undefined ? 'an error' : `status ${status}`}.`;
  return buildError({ message, type: known ?? chooseType(status), code: type ?? null });
}

export function describeRequestError({ message, param, code }: ChatRequestError): JsonObject {
  return buildError({ message, type: 'invalid_request_error', param, code });
}

/** An answer that was cut off, or is none. */
export function describeBrokenAnswer(message: string): JsonObject {
  return buildError({ message, type: 'server_error', code: 'upstream_broke_off' });
}

function chooseType(status: number | undefined): string {
  return status !== undefined && status < 500 ? 'invalid_request_error' : 'server_error';
}

interface ErrorFields {
  readonly message: string;
  readonly type: string;
  readonly param?: string | null;
  readonly code: string | null;
}

function buildError({ message, type, param = null, code }: ErrorFields): JsonObject {
  return { error: { message, type, param, code } };
}
