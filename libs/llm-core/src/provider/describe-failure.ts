import type { LLMErrorType } from './llm-error.js';

/**
 * Describes a failed call in one sentence for operators, with what to do about it where possible. `status` is undefined
 * for an error inside a response stream.
 */
export function describeFailure(type: LLMErrorType, provider: string, status: number | undefined): string {
  const answered =
    status === undefined
      ? `${provider} reported an error in its response stream`
      : `${provider} answered with status ${status}`;
  switch (type) {
    case 'authentication':
      return `${answered}: check its API key and the key's permissions.`;
    case 'rate_limit':
      return `${answered}: too many requests.`;
    case 'invalid_request':
      return `${answered}: it does not accept the request. Check the model's name and the base URL.`;
    case 'policy':
      return `${answered}: its content policy rejects the request.`;
    default:
      return `${answered}.`;
  }
}

/** A spend limit of the account: neither a retry nor another key of the same account helps. */
export function describeSpendLimit(provider: string): string {
  return `The account at ${provider} has reached its spend limit or has no balance left: raise the limit or add credit there.`;
}

/** Describes a call that could not connect to a server. */
export function describeUnreachable(provider: string): string {
  return `${provider} could not be reached: check its base URL and the network.`;
}
