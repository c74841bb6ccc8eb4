import { ManualClock } from '@annals/domain';
import { startFakeModels } from '@annals/testing';
import type { FakeModels, FakeModelsOptions } from '@annals/testing';
import { loadPricingCatalog } from '../../pricing/load-pricing-catalog.js';
import { ClaudeProvider } from '../claude/claude-provider.js';
import type { ClaudeProviderOptions } from '../claude/claude-provider.js';
import { OpenAIProvider } from '../openai/openai-provider.js';
import type { OpenAIProviderOptions } from '../openai/openai-provider.js';

export const NOW = Date.UTC(2026, 10, 22);

const catalog = loadPricingCatalog();

/** Timeout of the calls of these specs, by a clock that only a spec advances. */
export const TIMEOUT_MS = 10_000;

/** Options shared by all providers of these specs. */
function common() {
  return { apiKey: 'sk-test', timeoutMs: TIMEOUT_MS, catalog, clock: new ManualClock(NOW) };
}

export function connectClaude(server: FakeModels, options: Partial<ClaudeProviderOptions> = {}): ClaudeProvider {
  return new ClaudeProvider({ ...common(), model: 'claude-haiku-5-5', baseUrl: server.anthropicUrl, ...options });
}

export function connectOpenAI(server: FakeModels, options: Partial<OpenAIProviderOptions> = {}): OpenAIProvider {
  return new OpenAIProvider({
    ...common(),
    model: 'gpt-6-luna',
    baseUrl: server.openaiUrl,
    isFree: false,
    ...options,
  });
}

/**
 * Starts servers for one spec file, closed after each test. Each has its own port, so that no endpoint capabilities are
 * shared.
 */
export function useServers(): (options?: FakeModelsOptions) => Promise<FakeModels> {
  const running: FakeModels[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });
  return async (options = {}) => {
    const server = await startFakeModels({ now: () => NOW, keys: ['sk-test'], ...options });
    running.push(server);
    return server;
  };
}
