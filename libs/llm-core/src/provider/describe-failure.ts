import type { LLMErrorType } from './llm-error.js';

/** One sentence for people about a call that failed, with the way out where there is one. */
export function describeFailure(type: LLMErrorType, provider: string, status: number | undefined): string {
  const answered =
    status === undefined ? `${provider} broke off its answer` : `${provider} answered with status ${status}`;
  switch (type) {
    case 'authentication':
      return `${answered}: check its API key and the key's permissions.`;
    case 'rate_limit':
      return `${answered}: too many requests.`;
    case 'invalid_request':
      return `${answered}: it does not accept the request. Check the model's name and the base URL.`;
    case 'policy':
      return `${answered}: its content rules refuse the request.`;
    default:
      return `${answered}.`;
  }
}

/** Waiting does not help and neither does another key of the same account. */
export function describeSpendLimit(provider: string): string {
  return `The account at ${provider} has reached its spend limit or has no balance left: raise the limit or add credit there.`;
}

/** A call that reached no server. */
export function describeUnreachable(provider: string): string {
  return `${provider} could not be reached: check its base URL and the network.`;
}
