import type { Config } from '@annals/config';
import { type Finding, fail, ok, warn } from '../report/finding.js';
import { formatUsd } from '../report/format-usd.js';

/** The largest call that the configuration allows to one provider. */
export interface LargestCall {
  readonly provider: string;
  readonly model: string;
  /** Upper bound of what it costs, which its budget has to hold (docs/reference/budgets.md#upper-bound-of-a-call). */
  readonly maxCostMicroUsd: number;
  /** Input and output. */
  readonly tokens: number;
}

type Budgets = Config<'budgets'>['budgets'];
type Chain = Config<'llm'>['llm']['chain'];

/** Budgets that contradict each other, or that no call fits. */
export function evaluateBudgets(budgets: Budgets, calls: readonly LargestCall[]): Finding[] {
  const paid = calls.filter(({ maxCostMicroUsd }) => maxCostMicroUsd > 0);
  if (paid.length === 0) return [ok('budgets', 'No configured model costs anything.')];
  const findings = [
    ...findUnreachableLimits(budgets),
    ...paid.flatMap((call) => findInsufficientLimits(budgets, call)),
  ];
  if (budgets.deploymentMicroUsd === null) {
    const found = 'Nothing limits what models may cost a day.';
    findings.push(warn('budgets.deployment', found, 'Set MEMORY_LLM_DAILY_BUDGET_USD to what you are ready to pay.'));
  }
  return findings.length > 0 ? findings : [describeBudgetCapacity(budgets, paid)];
}

function describeBudgetCapacity({ deploymentMicroUsd }: Budgets, paid: readonly LargestCall[]): Finding {
  const mostExpensive = Math.max(...paid.map(({ maxCostMicroUsd }) => maxCostMicroUsd));
  const capacity = `holds ${Math.floor((deploymentMicroUsd ?? 0) / mostExpensive)} of the largest calls at once`;
  const budget = `The daily budget of ${formatUsd(deploymentMicroUsd ?? 0)}`;
  return ok('budgets', `${budget} ${capacity} (each at most ${formatUsd(mostExpensive)}).`);
}

interface BudgetLimit {
  readonly check: string;
  readonly variable: string;
  readonly limit: number | null;
}

const DEPLOYMENT = 'MEMORY_LLM_DAILY_BUDGET_USD';

function listScopedLimits({ tenantMicroUsd, providersMicroUsd }: Budgets): BudgetLimit[] {
  return [
    { check: 'budgets.tenant', variable: 'MEMORY_LLM_TENANT_DAILY_BUDGET_USD', limit: tenantMicroUsd },
    ...Object.entries(providersMicroUsd).map(([provider, limit]) => ({
      check: `budgets.${provider}`,
      variable: `MEMORY_LLM_${provider.toUpperCase()}_DAILY_BUDGET_USD`,
      limit,
    })),
  ];
}

function findUnreachableLimits(budgets: Budgets): Finding[] {
  const { deploymentMicroUsd: whole } = budgets;
  if (whole === null) return [];
  return listScopedLimits(budgets).flatMap(({ check, variable, limit }) => {
    if (limit === null || limit <= whole) return [];
    const found = `${variable} (${formatUsd(limit)}) is above ${DEPLOYMENT} (${formatUsd(whole)}), so it never holds.`;
    return [warn(check, found, 'Lower it, or raise the other.')];
  });
}

function findInsufficientLimits(budgets: Budgets, { provider, model, maxCostMicroUsd }: LargestCall): Finding[] {
  const whole: BudgetLimit = { check: 'budgets.deployment', variable: DEPLOYMENT, limit: budgets.deploymentMicroUsd };
  const configuredLimits = [whole, ...listScopedLimits(budgets)].filter(
    ({ check }) => check === 'budgets.deployment' || check === 'budgets.tenant' || check === `budgets.${provider}`,
  );
  return configuredLimits.flatMap(({ check, variable, limit }) => {
    if (limit === null || maxCostMicroUsd <= limit) return [];
    const found = `One call of ${model} can cost ${formatUsd(maxCostMicroUsd)}, more than ${variable} allows in a whole day.`;
    const advice = `Raise ${variable}, or lower MEMORY_LLM_MAX_OUTPUT_TOKENS or MEMORY_LLM_SALIENCE_MAX_TOKENS.`;
    return [fail(check, found, advice)];
  });
}

/** Limits per minute that a single call would use up. */
export function evaluateRateLimits(chain: Chain, calls: readonly LargestCall[]): Finding[] {
  return chain.flatMap((model) => {
    if (model.provider === 'local') return [];
    const tokens = calls.find(({ provider }) => provider === model.provider)?.tokens ?? 0;
    const { requestsPerMinute, tokensPerMinute } = model.rates;
    const check = `${model.provider}.rates`;
    const variable = `MEMORY_LLM_${model.provider.toUpperCase()}_TOKENS_PER_MINUTE`;
    if (tokensPerMinute !== null && tokens > tokensPerMinute) {
      const found = `One call of ${model.model} can need ${tokens} tokens, more than ${variable} allows in a minute.`;
      return [warn(check, found, `Raise ${variable}, or lower MEMORY_LLM_MAX_OUTPUT_TOKENS.`)];
    }
    const pace = `${requestsPerMinute ?? 'any number of'} calls and ${tokensPerMinute ?? 'any number of'} tokens`;
    return [ok(check, `${model.provider} may get ${pace} a minute.`)];
  });
}
