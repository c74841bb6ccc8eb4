import type { Problem } from '@annals/contracts';

/** An error as OpenAI’s API has it, and as its clients read it. */
interface OpenAiError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** A problem in the form of OpenAI’s errors; `code` is that of the problem. */
export function toOpenAiError({ status, code, detail, errors = [] }: Problem): OpenAiError {
  const type = TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  const param = errors[0]?.path.replace(/^body\./, '') ?? null;
  return { error: { message: detail, type, param, code } };
}
