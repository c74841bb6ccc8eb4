import type { LLMProvider } from '../provider/llm-provider.js';
import { ClaudeProvider, type ClaudeProviderOptions } from './claude/claude-provider.js';
import { OpenAIProvider, type OpenAIProviderOptions } from './openai/openai-provider.js';

/** Which remote provider to build; one member per provider. */
export type ProviderConfig =
  ({ provider: 'claude' } & ClaudeProviderOptions) | ({ provider: 'openai' } & OpenAIProviderOptions);

export const PROVIDER_NAMES: readonly ProviderConfig['provider'][] = ['claude', 'openai'];

/**
 * Creates the provider that `config.provider` names.
 * @throws Error listing the known providers when the configured one is not among them.
 * @throws ConfigError when the model has no price and is not free.
 */
export function createProvider(config: ProviderConfig): LLMProvider {
  switch (config.provider) {
    case 'claude':
      return new ClaudeProvider(config);
    case 'openai':
      return new OpenAIProvider(config);
    default:
      throw new Error(`Unknown LLM provider: set "provider" to one of: ${PROVIDER_NAMES.join(', ')}.`);
  }
}
