import { LocalProvider } from '../providers/local/local-provider.js';
import type { LLMProvider } from './llm-provider.js';

/** Which provider to build; one member per provider. */
export type ProviderConfig = { provider: 'local' };

/** @throws Error naming the known providers when the configured one is not among them. */
export function createProvider(config: ProviderConfig): LLMProvider {
  switch (config.provider) {
    case 'local':
      return new LocalProvider();
    default:
      throw new Error(`Unknown model provider. Set it to one of: ${PROVIDER_NAMES.join(', ')}.`);
  }
}

export const PROVIDER_NAMES: readonly ProviderConfig['provider'][] = ['local'];
