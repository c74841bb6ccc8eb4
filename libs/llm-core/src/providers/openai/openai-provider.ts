import type { ProviderCapabilities } from '../../provider/llm-provider.js';
import { countTokens, estimateTokens } from '../../tokens/count-tokens.js';
import { RemoteProvider, type RemoteProviderOptions } from '../remote/remote-provider.js';
import { findOpenAIModel } from './openai-models.js';

/** `baseUrl` includes `/v1`: the official API or any server that implements Chat Completions. */
export interface OpenAIProviderOptions extends RemoteProviderOptions {
  /** True if calls are free (a self-hosted server): the model needs no price, and its calls are charged 0. */
  isFree: boolean;
}

const OFFICIAL_URL = 'https://api.openai.com/v1';

/**
 * OpenAI's Chat Completions and compatible servers: vLLM, Ollama, llama.cpp, LM Studio. Parameters that a server has
 * rejected are omitted from then on.
 */
export class OpenAIProvider extends RemoteProvider {
  private readonly isOfficial: boolean;

  /** @throws ConfigError when the model has no price and is not free. */
  constructor(options: OpenAIProviderOptions) {
    const remote = { ...options, baseUrl: options.baseUrl ?? OFFICIAL_URL };
    const isOfficial = new URL(remote.baseUrl).hostname === new URL(OFFICIAL_URL).hostname;
    super('openai', remote, ['schema', 'json_object', 'text'], async () => {
      const { OpenAIApi } = await import('./openai-api.js');
      return new OpenAIApi(remote, { model: remote.model, isOfficial });
    });
    this.isOfficial = isOfficial;
  }

  countTokens(text: string): Promise<number> {
    return countTokens(text);
  }

  estimateTokens(text: string): number {
    return estimateTokens(text);
  }

  getCapabilities(): ProviderCapabilities {
    return this.describeCapabilities(findOpenAIModel(this.model), this.isOfficial);
  }
}
