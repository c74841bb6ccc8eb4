import { LLMError } from './llm-error.js';

/**
 * Loads the part of a provider that uses its SDK. If that fails, every call rejects with an LLMError of a call that was
 * not sent, which costs nothing.
 */
export function loadSdk<Api>(provider: string, load: () => Promise<Api>): Promise<Api> {
  const api = load().catch(() => {
    const message = `The SDK of ${provider} could not be loaded: install the dependencies of Annals again.`;
    throw new LLMError('unknown', message, { provider, sent: false });
  });
  // Without a call, nobody handles the rejection.
  api.catch(() => undefined);
  return api;
}
