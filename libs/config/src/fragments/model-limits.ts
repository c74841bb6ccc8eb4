import { defineFragment } from '../fragment.js';
import { fraction, integer, money, optional, singleLine, withDefault } from '../variable.js';

export const pricing = defineFragment({
  title: 'Prices of models',
  variables: {
    catalogFile: optional('MEMORY_LLM_PRICING_CATALOG', singleLine('the path of a JSON file'), 'the built-in catalog', {
      description: 'File with prices of further models, in the format of the built-in catalog, to which it adds.',
    }),
  },
});

const BUDGET_EXCEEDED_NOTE =
  'Calls that could exceed it are not made before the next day (UTC). `0` or less: no limit.';

/** Micro-USD of one UTC day; null: not enforced (docs/reference/budgets.md#a-limit-of-zero-disables-a-budget). */
type Limit = number | null;

export const budgets = defineFragment({
  title: 'Budgets',
  variables: {
    deployment: withDefault('MEMORY_LLM_DAILY_BUDGET_USD', money(), '10', {
      description: `Maximum cost of model calls per day, embeddings included, of all tenants together. ${BUDGET_EXCEEDED_NOTE}`,
      unit: 'USD per day',
    }),
    tenant: optional('MEMORY_LLM_TENANT_DAILY_BUDGET_USD', money(), 'no limit per tenant', {
      description: `Maximum cost of model calls per day of one tenant, unless it has a budget of its own. ${BUDGET_EXCEEDED_NOTE}`,
      unit: 'USD per day',
    }),
    claude: optional('MEMORY_LLM_CLAUDE_DAILY_BUDGET_USD', money(), 'no limit of its own', {
      description: `Maximum cost of calls to Claude per day. ${BUDGET_EXCEEDED_NOTE}`,
      unit: 'USD per day',
    }),
    openai: optional('MEMORY_LLM_OPENAI_DAILY_BUDGET_USD', money(), 'no limit of its own', {
      description: `Maximum cost of calls to OpenAI per day, embeddings included. ${BUDGET_EXCEEDED_NOTE}`,
      unit: 'USD per day',
    }),
    settlingMarginMs: withDefault('MEMORY_LLM_SETTLING_MARGIN_MS', integer(10_000, 600_000), '30000', {
      description:
        'Time after a call’s timeout within which its reservation must be settled. After that its process counts as dead, and the full reservation is charged.',
      unit: 'ms',
    }),
  },
  build: (values) => ({
    deploymentMicroUsd: toLimit(values.deployment),
    tenantMicroUsd: toLimit(values.tenant),
    /** By name of the provider; a provider that is not in it has no limit of its own. */
    providersMicroUsd: {
      claude: toLimit(values.claude),
      openai: toLimit(values.openai),
    } as Readonly<Record<string, Limit>>,
    settlingMarginMs: values.settlingMarginMs,
  }),
});

function toLimit(microUsd: number | undefined): Limit {
  return microUsd === undefined || microUsd <= 0 ? null : microUsd;
}

export const circuit = defineFragment({
  title: 'Circuit breaker of models',
  variables: {
    probesRequired: withDefault('MEMORY_LLM_CIRCUIT_PROBES', integer(1, 100), '1', {
      description:
        'Probe calls that an open breaker admits, all processes together, and that must succeed to close it.',
      unit: 'calls',
    }),
    minAttempts: withDefault('MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS', integer(1, 1_000), '1', {
      description: 'Minimum number of completed calls before the breaker can open. With `1` a single failure opens it.',
      unit: 'calls',
    }),
    cooldownMs: withDefault('MEMORY_LLM_CIRCUIT_COOLDOWN_MS', integer(100, 3_600_000), '30000', {
      description: 'Time a breaker stays open before it admits probes.',
      unit: 'ms',
    }),
    errorThreshold: withDefault('MEMORY_LLM_CIRCUIT_ERROR_THRESHOLD', fraction(), '0.5', {
      description: 'Share of timeouts and outages among the completed calls at which the breaker opens.',
    }),
    windowSize: withDefault('MEMORY_LLM_CIRCUIT_WINDOW_SIZE', integer(1, 1_000), '20', {
      description: 'Number of latest completed calls over which the error share is computed.',
      unit: 'calls',
    }),
    windowMs: withDefault('MEMORY_LLM_CIRCUIT_WINDOW_MS', integer(1_000, 3_600_000), '60000', {
      description: 'Age from which a completed call no longer counts.',
      unit: 'ms',
    }),
  },
});

export const salience = defineFragment({
  title: 'Selection of messages',
  variables: {
    topK: withDefault('MEMORY_LLM_SALIENCE_TOP_K', integer(1, 50), '24', {
      description:
        'Maximum number of messages of a batch that are selected for the prompt, the most salient ones, each with the message before and after it.',
      unit: 'messages',
    }),
    maxTokens: withDefault('MEMORY_LLM_SALIENCE_MAX_TOKENS', integer(100, 500_000), '3000', {
      description: 'Maximum tokens of the messages in a prompt; the least salient ones are left out first.',
      unit: 'tokens',
    }),
  },
});
