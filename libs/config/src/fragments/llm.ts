import { defineFragment, type AddProblem, type ValuesOf } from '../fragment.js';
import { flag, integer, listOf, oneOf, optional, secretText, singleLine, url, withDefault } from '../variable.js';

/** Providers that extract memories, as the configuration spells them. */
const LLM_PROVIDERS = ['local', 'claude', 'openai'] as const;
type LlmProviderName = (typeof LLM_PROVIDERS)[number];

/** A provider’s rate limits per minute, shared by the whole fleet; null: not limited. */
export interface ConfiguredRates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

interface RemoteModel {
  readonly apiKey: string;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly rates: ConfiguredRates;
}

/** One provider of the chain, with everything that is needed to call it. `isFree`: a server whose calls cost nothing. */
export type ConfiguredModel =
  | { readonly provider: 'local' }
  | (RemoteModel & { readonly provider: 'claude' })
  | (RemoteModel & { readonly provider: 'openai'; readonly isFree: boolean });

const httpUrl = url('an http or https URL', ['http:', 'https:']);
const perMinute = integer(0, 1_000_000_000);
const ZERO_MEANS_UNLIMITED = '`0`: no limit.';

const variables = {
  primary: withDefault('MEMORY_LLM_PRIMARY', oneOf(LLM_PROVIDERS), 'local', {
    description: 'Provider that extracts memories. `local` is rule-based English and needs no key.',
  }),
  fallbacks: optional(
    'MEMORY_LLM_FALLBACKS',
    listOf(LLM_PROVIDERS),
    'a batch is deferred or fails when the primary fails',
    {
      description: 'Providers that are called, in this order, when the primary fails.',
    },
  ),
  claudeApiKey: optional('MEMORY_LLM_CLAUDE_API_KEY', secretText(1), 'an error when `claude` is used', {
    description: 'API key of Claude.',
    secret: true,
  }),
  claudeModel: withDefault('MEMORY_LLM_CLAUDE_MODEL', singleLine('the name of a model'), 'claude-haiku-5-5', {
    description: 'Claude model that extracts memories.',
  }),
  claudeBaseUrl: optional('MEMORY_LLM_CLAUDE_BASE_URL', httpUrl, "Anthropic's own API", {
    description: 'Base URL of the Claude API when it is not Anthropic’s own, for example of a proxy.',
  }),
  claudeRequestsPerMinute: withDefault('MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE', perMinute, '50', {
    description: `Requests that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'requests per minute',
  }),
  claudeTokensPerMinute: withDefault('MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE', perMinute, '40000', {
    description: `Input and output tokens that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'tokens per minute',
  }),
  openaiApiKey: optional(
    'MEMORY_LLM_OPENAI_API_KEY',
    secretText(1),
    'an error when `openai` is used without a base URL',
    {
      description: 'API key of OpenAI, or of the compatible server if it requires one.',
      secret: true,
    },
  ),
  openaiModel: withDefault('MEMORY_LLM_OPENAI_MODEL', singleLine('the name of a model'), 'gpt-6-luna', {
    description: 'Model of OpenAI, or of the compatible server, that extracts memories.',
  }),
  openaiBaseUrl: optional('MEMORY_LLM_OPENAI_BASE_URL', httpUrl, "OpenAI's own API", {
    description: 'Base URL of a compatible server (vLLM, Ollama, llama.cpp, LM Studio), with `/v1`.',
  }),
  openaiFree: withDefault('MEMORY_LLM_OPENAI_FREE', flag(), 'false', {
    description: 'Whether calls to the server at the base URL cost nothing. Otherwise its model needs a price.',
  }),
  openaiRequestsPerMinute: withDefault('MEMORY_LLM_OPENAI_REQUESTS_PER_MINUTE', perMinute, '500', {
    description: `Requests that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'requests per minute',
  }),
  openaiTokensPerMinute: withDefault('MEMORY_LLM_OPENAI_TOKENS_PER_MINUTE', perMinute, '90000', {
    description: `Input and output tokens that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'tokens per minute',
  }),
  timeoutMs: withDefault('MEMORY_LLM_TIMEOUT_MS', integer(1_000, 240_000), '60000', {
    description: 'Timeout of one model call.',
    unit: 'ms',
  }),
  maxOutputTokens: withDefault('MEMORY_LLM_MAX_OUTPUT_TOKENS', integer(256, 128_000), '4096', {
    description:
      'Maximum output tokens of a call; a longer answer is cut off. Each call reserves their price, so a higher value admits fewer calls.',
    unit: 'tokens',
  }),
  // Off by default: reading a streamed answer takes several times the CPU of reading it whole, with every SDK and
  // without.
  streaming: withDefault('MEMORY_LLM_STREAMING', flag(), 'false', {
    description:
      'Whether answers are streamed: a stalled provider is detected sooner, at several times the CPU per call.',
  }),
};

type Values = ValuesOf<typeof variables>;
type AddVariableProblem = AddProblem<typeof variables>;

export const llm = defineFragment({
  title: 'Extraction model',
  variables,
  build: (values, addProblem) => {
    const { primary, fallbacks = [], timeoutMs, maxOutputTokens, streaming } = values;
    if (fallbacks.includes(primary)) addProblem('fallbacks', 'must not name the provider that is MEMORY_LLM_PRIMARY');
    /** The primary, then its fallbacks. */
    const chain = [primary, ...fallbacks].map((provider) => BUILDERS[provider](values, addProblem));
    return { primary, chain, timeoutMs, maxOutputTokens, streaming };
  },
});

/** Self-hosted servers mostly need no key, but the client library requires a value. */
const NO_KEY = 'none';

const BUILDERS: Readonly<Record<LlmProviderName, (values: Values, addProblem: AddVariableProblem) => ConfiguredModel>> =
  {
    local: () => ({ provider: 'local' }),
    claude: (values, addProblem) => ({
      provider: 'claude',
      apiKey: requireApiKey('claude', values, addProblem),
      model: values.claudeModel,
      baseUrl: values.claudeBaseUrl,
      rates: toRates(values.claudeRequestsPerMinute, values.claudeTokensPerMinute),
    }),
    openai: (values, addProblem) => {
      const { openaiBaseUrl: baseUrl, openaiFree: isFree } = values;
      if (isFree && baseUrl === undefined)
        addProblem(
          'openaiFree',
          "must be `false` without MEMORY_LLM_OPENAI_BASE_URL, since OpenAI's own API is not free",
        );
      return {
        provider: 'openai',
        apiKey: baseUrl === undefined ? requireApiKey('openai', values, addProblem) : (values.openaiApiKey ?? NO_KEY),
        model: values.openaiModel,
        baseUrl,
        isFree,
        rates: toRates(values.openaiRequestsPerMinute, values.openaiTokensPerMinute),
      };
    },
  };

function toRates(requestsPerMinute: number, tokensPerMinute: number): ConfiguredRates {
  return { requestsPerMinute: requestsPerMinute || null, tokensPerMinute: tokensPerMinute || null };
}

function requireApiKey(provider: 'claude' | 'openai', values: Values, addProblem: AddVariableProblem): string {
  const variable = `${provider}ApiKey` as const;
  const key = values[variable];
  if (key !== undefined) return key;
  const named = values.primary === provider ? 'MEMORY_LLM_PRIMARY' : 'MEMORY_LLM_FALLBACKS';
  addProblem(variable, `is missing: ${named} names ${provider}, which needs a key`);
  return '';
}
