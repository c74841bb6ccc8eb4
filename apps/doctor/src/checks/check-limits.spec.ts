import { evaluateBudgets, evaluateRateLimits, evaluateReportedLimits } from './check-limits.js';

const CALL = { provider: 'claude', model: 'claude-haiku-5-5', maxCostMicroUsd: 6_000, tokens: 9_000 };
const BUDGETS = {
  deploymentMicroUsd: 10_000_000,
  tenantMicroUsd: null,
  providersMicroUsd: { claude: null, openai: null },
  settlingMarginMs: 30_000,
};

function evaluate(change: object, calls = [CALL]): string[] {
  return evaluateBudgets({ ...BUDGETS, ...change }, calls).map(({ check, verdict }) => `${check} ${verdict}`);
}

describe('evaluateBudgets', () => {
  it.each([
    [{}, ['budgets ok']],
    [{ tenantMicroUsd: 10_000_000 }, ['budgets ok']],
    [{ tenantMicroUsd: 10_000_001 }, ['budgets.tenant warn']],
    [{ providersMicroUsd: { claude: 20_000_000 } }, ['budgets.claude warn']],
    [{ deploymentMicroUsd: null }, ['budgets.deployment warn']],
    [{ deploymentMicroUsd: 5_999 }, ['budgets.deployment fail']],
    [{ deploymentMicroUsd: 6_000 }, ['budgets ok']],
    [{ tenantMicroUsd: 5_999 }, ['budgets.tenant fail']],
    [{ providersMicroUsd: { claude: 5_999, openai: 1 } }, ['budgets.claude fail']],
  ])('reports %j as %j', (change, expected) => {
    expect(evaluate(change)).toEqual(expected);
  });

  it('requires no budget when no model costs anything', () => {
    expect(evaluate({ deploymentMicroUsd: null }, [{ ...CALL, maxCostMicroUsd: 0 }])).toEqual(['budgets ok']);
  });
});

describe('evaluateRateLimits', () => {
  const rates = (tokensPerMinute: number | null) =>
    evaluateRateLimits(
      [
        { provider: 'local' },
        {
          provider: 'claude',
          apiKey: 'k',
          model: CALL.model,
          baseUrl: undefined,
          rates: { requestsPerMinute: null, tokensPerMinute },
        },
      ],
      [CALL],
    ).map(({ verdict }) => verdict);

  it('warns about a token limit per minute below one call', () => {
    expect([rates(9_000), rates(8_999), rates(null)]).toEqual([['ok'], ['warn'], ['ok']]);
  });
});

describe('evaluateReportedLimits', () => {
  const reported = { requests: { limit: 50, remaining: 49, resetAt: 0 } };
  it.each([
    [50, 0],
    [40, 0],
    [51, 1],
    [null, 1],
  ])(
    'compares %s configured requests per minute with the 50 that the account allows',
    (requestsPerMinute, warnings) => {
      const found = evaluateReportedLimits('claude', { requestsPerMinute, tokensPerMinute: null }, reported);
      expect(found).toHaveLength(warnings);
      for (const { advice } of found) expect(advice).toBe('Set MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE to 50.');
    },
  );

  it('has no finding when the provider reports no limits', () => {
    expect(evaluateReportedLimits('claude', { requestsPerMinute: null, tokensPerMinute: null }, undefined)).toEqual([]);
  });
});
