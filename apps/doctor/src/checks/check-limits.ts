import type { Config, ConfiguredRates } from '@annals/config';
import { buildExtractionPrompt, type LLMProvider, type LLMRequest, type RateLimitReport } from '@annals/llm-core';
import { fail, type Finding, formatUsd, ok, warn } from '../report.js';
import type { CommonConfig } from '../load-settings.js';

export interface LargestCall {
  readonly provider: string;
  readonly model: string;
  /** Upper bound of its cost, which has to fit its budgets (docs/reference/budgets.md#upper-bound-of-a-call). */
  readonly maxCostMicroUsd: number;
  /** Input and output. */
  readonly tokens: number;
}

/** UTF-8 bytes of one token of plain text; the upper bound of the cost is computed from bytes. */
const BYTES_PER_TOKEN = 4;

/** The largest call the configuration allows: the most tokens of conversation, and an answer of the maximum length. */
export function measureLargestCall(provider: LLMProvider, { llm, salience }: CommonConfig): LargestCall {
  const content = 'x'.repeat(salience.maxTokens * BYTES_PER_TOKEN);
  const message = { id: 'largest', role: 'user' as const, actorId: null, content, createdAt: 0 };
  const conversation = { messages: [message], context: [] };
  const request: LLMRequest = {
    requestId: 'doctor: largest call',
    task: 'extract_memories',
    conversation,
    prompt: buildExtractionPrompt({ excerpt: conversation }),
    maxOutputTokens: llm.maxOutputTokens,
    signal: new AbortController().signal,
  };
  return {
    provider: provider.name,
    model: provider.model,
    maxCostMicroUsd: provider.estimateMaxCost(request),
    tokens: provider.estimateTokens(request.prompt.system) + salience.maxTokens + llm.maxOutputTokens,
  };
}

type Budgets = Config<'budgets'>['budgets'];
type Chain = Config<'llm'>['llm']['chain'];

/** Findings about budgets that contradict each other, or that are below the cost of one call. */
export function evaluateBudgets(budgets: Budgets, calls: readonly LargestCall[]): Finding[] {
  const paid = calls.filter(({ maxCostMicroUsd }) => maxCostMicroUsd > 0);
  if (paid.length === 0) return [ok('budgets', 'No configured model costs anything.')];
  const findings = [
    ...findUnreachableLimits(budgets),
    ...paid.flatMap((call) => findInsufficientLimits(budgets, call)),
  ];
  if (budgets.deploymentMicroUsd === null) {
    const found = 'No daily budget limits what models may cost.';
    findings.push(
      warn('budgets.deployment', found, 'Set MEMORY_LLM_DAILY_BUDGET_USD to the most that one day may cost.'),
    );
  }
  return findings.length > 0 ? findings : [describeBudgetCapacity(budgets, paid)];
}

function describeBudgetCapacity({ deploymentMicroUsd }: Budgets, paid: readonly LargestCall[]): Finding {
  const mostExpensive = Math.max(...paid.map(({ maxCostMicroUsd }) => maxCostMicroUsd));
  const capacity = `covers ${Math.floor((deploymentMicroUsd ?? 0) / mostExpensive)} concurrent calls of the largest size`;
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
  const { deploymentMicroUsd } = budgets;
  if (deploymentMicroUsd === null) return [];
  return listScopedLimits(budgets).flatMap(({ check, variable, limit }) => {
    if (limit === null || limit <= deploymentMicroUsd) return [];
    const whole = formatUsd(deploymentMicroUsd);
    const found = `${variable} (${formatUsd(limit)}) is above ${DEPLOYMENT} (${whole}), so it has no effect.`;
    return [warn(check, found, `Lower ${variable}, or raise ${DEPLOYMENT}.`)];
  });
}

function findInsufficientLimits(budgets: Budgets, { provider, model, maxCostMicroUsd }: LargestCall): Finding[] {
  const deployment: BudgetLimit = {
    check: 'budgets.deployment',
    variable: DEPLOYMENT,
    limit: budgets.deploymentMicroUsd,
  };
  const configuredLimits = [deployment, ...listScopedLimits(budgets)].filter(
    ({ check }) => check === 'budgets.deployment' || check === 'budgets.tenant' || check === `budgets.${provider}`,
  );
  return configuredLimits.flatMap(({ check, variable, limit }) => {
    if (limit === null || maxCostMicroUsd <= limit) return [];
    const found = `One call of ${model} can cost ${formatUsd(maxCostMicroUsd)}, more than ${variable} allows per day.`;
    const advice = `Raise ${variable}, or lower MEMORY_LLM_MAX_OUTPUT_TOKENS or MEMORY_LLM_SALIENCE_MAX_TOKENS.`;
    return [fail(check, found, advice)];
  });
}

/** Findings about rate limits per minute that are below the tokens of one call. */
export function evaluateRateLimits(chain: Chain, calls: readonly LargestCall[]): Finding[] {
  return chain.flatMap((model) => {
    if (model.provider === 'local') return [];
    const tokens = calls.find(({ provider }) => provider === model.provider)?.tokens ?? 0;
    const { requestsPerMinute, tokensPerMinute } = model.rates;
    const check = `${model.provider}.rates`;
    const variable = `MEMORY_LLM_${model.provider.toUpperCase()}_TOKENS_PER_MINUTE`;
    if (tokensPerMinute !== null && tokens > tokensPerMinute) {
      const found = `One call of ${model.model} can need ${tokens} tokens, more than ${variable} allows per minute.`;
      return [warn(check, found, `Raise ${variable}, or lower MEMORY_LLM_MAX_OUTPUT_TOKENS.`)];
    }
    const limits = `${requestsPerMinute ?? 'unlimited'} calls and ${tokensPerMinute ?? 'unlimited'} tokens`;
    return [ok(check, `Rate limits of ${model.provider}: ${limits} per minute.`)];
  });
}

/** Findings where the rate limits in a provider's response headers are below the configured ones. */
export function evaluateReportedLimits(
  provider: string,
  configured: ConfiguredRates,
  reported: RateLimitReport | undefined,
): Finding[] {
  const pairs = [
    { what: 'requests', allowed: configured.requestsPerMinute, reportedLimit: reported?.requests?.limit },
    { what: 'tokens', allowed: configured.tokensPerMinute, reportedLimit: reported?.tokens?.limit },
  ];
  return pairs.flatMap(({ what, allowed, reportedLimit }) => {
    if (reportedLimit === undefined || (allowed !== null && allowed <= reportedLimit)) return [];
    const variable = `MEMORY_LLM_${provider.toUpperCase()}_${what.toUpperCase()}_PER_MINUTE`;
    const found = `${provider} allows this account ${reportedLimit} ${what} per minute, less than is configured.`;
    return [warn(`${provider}.rates`, found, `Set ${variable} to ${reportedLimit}.`)];
  });
}
