import { loadConfig } from '@annals/config';
import { createModelLimits } from './create-model-limits.js';

const env = { MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_FALLBACKS: 'local', MEMORY_LLM_CLAUDE_API_KEY: 'sk-1' };

describe('createModelLimits', () => {
  it('limits every remote model of the chain, and gives a probe the time of a call', () => {
    const config = loadConfig(['llm', 'budgets', 'circuit'], { ...env, MEMORY_LLM_TIMEOUT_MS: '10000' });
    expect(createModelLimits(config)).toEqual({
      spending: {
        deploymentMicroUsd: 10_000_000,
        tenantMicroUsd: null,
        providersMicroUsd: { claude: null, openai: null },
      },
      models: [
        {
          provider: 'claude',
          model: 'claude-haiku-5-5',
          rates: { requestsPerMinute: 50, tokensPerMinute: 40_000 },
        },
      ],
      breaker: expect.objectContaining({ minAttempts: 1, probesRequired: 1, probeLeaseMs: 40_000 }),
    });
  });

  it('needs no extraction model where only vectors are made', () => {
    expect(createModelLimits(loadConfig(['budgets', 'circuit'], {}))).toMatchObject({ models: [] });
  });
});
