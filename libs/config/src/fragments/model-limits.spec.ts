import fc from 'fast-check';
import { type Environment, loadConfig } from '../load-config.js';

const budgetsOf = (env: Environment) => loadConfig(['budgets'], env).budgets;
const dailyBudget = (text: string) => budgetsOf({ MEMORY_LLM_DAILY_BUDGET_USD: text }).deploymentMicroUsd;

describe('budgets', () => {
  it('default to 10 USD a day for the deployment and no limit for tenants and providers', () => {
    expect(budgetsOf({})).toEqual({
      deploymentMicroUsd: 10_000_000,
      tenantMicroUsd: null,
      providersMicroUsd: { claude: null, openai: null },
      settlingMarginMs: 30_000,
    });
  });

  it.each([
    ['12', 12_000_000],
    ['0.1', 100_000],
    ['0.000001', 1],
    ['1.23', 1_230_000],
    ['999999999.999999', 999_999_999_999_999],
  ])('parse %s as %i micro-USD', (text, microUsd) => {
    expect(dailyBudget(text)).toBe(microUsd);
  });

  it('parse any amount exactly to the micro-USD', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (microUsd) => {
        const digits = String(microUsd).padStart(7, '0');
        expect(dailyBudget(`${digits.slice(0, -6)}.${digits.slice(-6)}`)).toBe(microUsd);
      }),
    );
  });

  it.each(['0', '0.000000', '-1', '-0.5'])('are not enforced when set to %s', (text) => {
    expect(dailyBudget(text)).toBeNull();
  });

  it.each(['ten', '1e3', '0.1234567', '1.', '.5', '$5', '1,5', 'NaN', 'Infinity', '1 000'])('reject %s', (text) => {
    expect(() => dailyBudget(text)).toThrow(
      'MEMORY_LLM_DAILY_BUDGET_USD must be an amount in US dollars with at most 6 decimals, such as `12.5`.',
    );
  });
});

describe('the circuit breaker', () => {
  it('has the documented defaults', () => {
    expect(loadConfig(['circuit'], {}).circuit).toEqual({
      probesRequired: 1,
      minAttempts: 1,
      cooldownMs: 30_000,
      errorThreshold: 0.5,
      windowSize: 20,
      windowMs: 60_000,
    });
  });

  it.each(['0', '1.5', '-0.5', 'half', '0.0'])('rejects %s as an error threshold', (text) => {
    expect(() => loadConfig(['circuit'], { MEMORY_LLM_CIRCUIT_ERROR_THRESHOLD: text })).toThrow(
      'MEMORY_LLM_CIRCUIT_ERROR_THRESHOLD must be a number above 0 and up to 1.',
    );
  });
});

describe('the selection of messages', () => {
  it('has the documented defaults', () => {
    expect(loadConfig(['salience'], {}).salience).toEqual({ topK: 24, maxTokens: 3_000 });
  });
});
