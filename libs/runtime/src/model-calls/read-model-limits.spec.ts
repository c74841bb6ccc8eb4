import { loadConfig } from '@annals/config';
import { readModelLimits } from './model-limits.js';

const read = (env: Record<string, string>) =>
  readModelLimits(loadConfig(['llm', 'embeddings', 'budgets', 'circuit'], env));

describe('readModelLimits', () => {
  it('returns null when every model is inside the process', () => {
    expect(read({})).toBeNull();
  });

  it('lists the remote models of the chain and of the embeddings, with their limits', () => {
    const limits = read({
      MEMORY_LLM_PRIMARY: 'claude',
      MEMORY_LLM_FALLBACKS: 'local',
      MEMORY_LLM_CLAUDE_API_KEY: 'key',
      MEMORY_LLM_DAILY_BUDGET_USD: '2.5',
      MEMORY_LLM_CIRCUIT_PROBES: '3',
      MEMORY_LLM_TIMEOUT_MS: '200000',
      ANNALS_EMBEDDINGS: 'openai',
      ANNALS_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1/v1',
      ANNALS_EMBEDDINGS_API_KEY: 'key',
      ANNALS_EMBEDDINGS_MODEL: 'text-embedding-3-small',
      ANNALS_EMBEDDINGS_DIMENSIONS: '512',
    });
    expect(limits).toMatchObject({
      models: [
        { provider: 'claude', model: 'claude-haiku-5-5', rates: { requestsPerMinute: 50, tokensPerMinute: 40_000 } },
        { provider: 'openai', model: 'text-embedding-3-small-512', rates: { requestsPerMinute: null } },
      ],
      spending: { deploymentMicroUsd: 2_500_000, tenantMicroUsd: null },
      breaker: { probesRequired: 3, cooldownMs: 30_000, probeLeaseMs: 230_000 },
    });
  });

  it('requires budgets and circuit in a process that calls remote models', () => {
    const { llm } = loadConfig(['llm'], { MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_CLAUDE_API_KEY: 'key' });
    expect(() => readModelLimits({ llm })).toThrow(/"budgets" and "circuit"/);
  });
});
