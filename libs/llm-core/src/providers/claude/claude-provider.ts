import type { ProviderCapabilities } from '../../provider/llm-provider.js';
import { estimateTokens, loadTokenCounter } from '../../tokens/count-tokens.js';
import { RemoteProvider, type RemoteProviderOptions } from '../remote/remote-provider.js';
import type { ClaudeApi } from './claude-api.js';
import { CLAUDE_URL, findClaudeModel } from './claude-models.js';

/** Options of the Claude provider; `baseUrl` is without `/v1`. */
export type ClaudeProviderOptions = RemoteProviderOptions;

/** o200k undercounts Claude by 15 to 20 % on plain text and by more on other text (provider facts §4). */
const TOKEN_SAFETY_FACTOR = 1.35;

/** Claude through the Messages API. */
export class ClaudeProvider extends RemoteProvider<ClaudeApi> {
  /** @throws ConfigError when the model has no price. */
  constructor(options: ClaudeProviderOptions) {
    const remote = { ...options, baseUrl: options.baseUrl ?? CLAUDE_URL, isFree: false };
    super('claude', remote, ['schema', 'text'], async () => {
      const { ClaudeApi: Api } = await import('./claude-api.js');
      return new Api(remote);
    });
  }

  async countTokens(text: string): Promise<number> {
    if (text === '') return 0;
    const tokens = await (await this.api).countTokens(text);
    if (tokens !== undefined) return tokens;
    await loadTokenCounter();
    return this.estimateTokens(text);
  }

  estimateTokens(text: string): number {
    return Math.ceil(estimateTokens(text) * TOKEN_SAFETY_FACTOR);
  }

  getCapabilities(): ProviderCapabilities {
    return this.describeCapabilities(findClaudeModel(this.model), true);
  }
}
