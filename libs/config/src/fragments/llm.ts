import { defineFragment, type AddProblem, type ValuesOf } from '../fragment.js';
import { flag, integer, listOf, oneOf, optional, secretText, singleLine, url, withDefault } from '../variable.js';

/** Providers that extract memories, as the configuration spells them. */
export const LLM_PROVIDERS = ['local', 'claude', 'openai'] as const;
export type LlmProviderName = (typeof LLM_PROVIDERS)[number];

/** A provider’s rate limits per minute, shared by the whole fleet; null: not limited. */
export interface ConfiguredRates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** One provider of the chain, with everything that is needed to call it. */
export type ConfiguredModel =
  | { readonly provider: 'local' }
  | {
      readonly provider: 'claude';
      readonly apiKey: string;
      readonly model: string;
      readonly baseUrl: string | undefined;
      readonly rates: ConfiguredRates;
    }
  | {
      readonly provider: 'openai';
      readonly apiKey: string;
      readonly model: string;
      readonly baseUrl: string | undefined;
      /** True for a server whose calls cost nothing. */
      readonly isFree: boolean;
      readonly rates: ConfiguredRates;
    };

const httpUrl = url('an http or https URL', ['http:', 'https:']);
const perMinute = integer(0, 1_000_000_000);
const ZERO_MEANS_UNLIMITED = '`0`: no limit.';

const variables = {
  MEMORY_LLM_PRIMARY: withDefault(oneOf(LLM_PROVIDERS), 'local', {
    description: 'Provider that extracts memories. `local` is rule-based English and needs no key.',
  }),
  MEMORY_LLM_FALLBACKS: optional(listOf(LLM_PROVIDERS), 'a batch is deferred or fails when the primary fails', {
    description: 'Providers that are called, in this order, when the primary fails.',
  }),
  MEMORY_LLM_CLAUDE_API_KEY: optional(secretText(1), 'an error when `claude` is used', {
    description: 'API key of Claude.',
    secret: true,
  }),
  MEMORY_LLM_CLAUDE_MODEL: withDefault(singleLine('the name of a model'), 'claude-haiku-5-5', {
    description: 'Claude model that extracts memories.',
  }),
  MEMORY_LLM_CLAUDE_BASE_URL: optional(httpUrl, "Anthropic's own API", {
    description: 'Base URL of the Claude API when it is not Anthropic’s own, for example of a proxy.',
  }),
  MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: withDefault(perMinute, '50', {
    description: `Requests that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'requests per minute',
  }),
  MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: withDefault(perMinute, '40000', {
    description: `Input and output tokens that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'tokens per minute',
  }),
  MEMORY_LLM_OPENAI_API_KEY: optional(secretText(1), 'an error when `openai` is used without a base URL', {
    description: 'API key of OpenAI, or of the compatible server if it requires one.',
    secret: true,
  }),
  MEMORY_LLM_OPENAI_MODEL: withDefault(singleLine('the name of a model'), 'gpt-6-luna', {
    description: 'Model of OpenAI, or of the compatible server, that extracts memories.',
  }),
  MEMORY_LLM_OPENAI_BASE_URL: optional(httpUrl, "OpenAI's own API", {
    description: 'Base URL of a compatible server (vLLM, Ollama, llama.cpp, LM Studio), with `/v1`.',
  }),
  MEMORY_LLM_OPENAI_FREE: withDefault(flag(), 'false', {
    description: 'Whether calls to the server at the base URL cost nothing. Otherwise its model needs a price.',
  }),
  MEMORY_LLM_OPENAI_REQUESTS_PER_MINUTE: withDefault(perMinute, '500', {
    description: `Requests that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'requests per minute',
  }),
  MEMORY_LLM_OPENAI_TOKENS_PER_MINUTE: withDefault(perMinute, '90000', {
    description: `Input and output tokens that the account allows, shared by all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'tokens per minute',
  }),
  MEMORY_LLM_TIMEOUT_MS: withDefault(integer(1_000, 240_000), '60000', {
    description: 'Timeout of one model call.',
    unit: 'ms',
  }),
  MEMORY_LLM_MAX_OUTPUT_TOKENS: withDefault(integer(256, 128_000), '4096', {
    description:
      'Maximum output tokens of a call; a longer answer is cut off. Each call reserves their price, so a higher value admits fewer calls.',
    unit: 'tokens',
  }),
  // Off by default: reading a streamed answer takes several times the CPU of reading it whole, with every SDK and
  // without.
  MEMORY_LLM_STREAMING: withDefault(flag(), 'false', {
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
    const primary = values.MEMORY_LLM_PRIMARY;
    const fallbacks = values.MEMORY_LLM_FALLBACKS ?? [];
    if (fallbacks.includes(primary)) {
      addProblem('MEMORY_LLM_FALLBACKS', 'must not name the provider that is MEMORY_LLM_PRIMARY');
    }
    return {
      primary,
      /** The primary, then its fallbacks. */
      chain: [primary, ...fallbacks].map((provider) => buildModel(provider, values, addProblem)),
      timeoutMs: values.MEMORY_LLM_TIMEOUT_MS,
      maxOutputTokens: values.MEMORY_LLM_MAX_OUTPUT_TOKENS,
      streaming: values.MEMORY_LLM_STREAMING,
    };
  },
});

function buildModel(provider: LlmProviderName, values: Values, addProblem: AddVariableProblem): ConfiguredModel {
  switch (provider) {
    case 'local':
      return { provider };
    case 'claude':
      return {
        provider,
        apiKey: requireApiKey('MEMORY_LLM_CLAUDE_API_KEY', provider, values, addProblem),
        model: values.MEMORY_LLM_CLAUDE_MODEL,
        baseUrl: values.MEMORY_LLM_CLAUDE_BASE_URL,
        rates: {
          requestsPerMinute: values.MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE || null,
          tokensPerMinute: values.MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE || null,
        },
      };
    case 'openai':
      return buildOpenAI(values, addProblem);
  }
}

/** Self-hosted servers mostly need no key, but the client library requires a value. */
const NO_KEY = 'none';

function buildOpenAI(values: Values, addProblem: AddVariableProblem): ConfiguredModel {
  const baseUrl = values.MEMORY_LLM_OPENAI_BASE_URL;
  const isFree = values.MEMORY_LLM_OPENAI_FREE;
  if (isFree && baseUrl === undefined) {
    addProblem(
      'MEMORY_LLM_OPENAI_FREE',
      "must be `false` without MEMORY_LLM_OPENAI_BASE_URL, since OpenAI's own API is not free",
    );
  }
  return {
    provider: 'openai',
    apiKey:
      baseUrl === undefined
        ? requireApiKey('MEMORY_LLM_OPENAI_API_KEY', 'openai', values, addProblem)
        : (values.MEMORY_LLM_OPENAI_API_KEY ?? NO_KEY),
    model: values.MEMORY_LLM_OPENAI_MODEL,
    baseUrl,
    isFree,
    rates: {
      requestsPerMinute: values.MEMORY_LLM_OPENAI_REQUESTS_PER_MINUTE || null,
      tokensPerMinute: values.MEMORY_LLM_OPENAI_TOKENS_PER_MINUTE || null,
    },
  };
}

function requireApiKey(
  variable: 'MEMORY_LLM_CLAUDE_API_KEY' | 'MEMORY_LLM_OPENAI_API_KEY',
  provider: LlmProviderName,
  values: Values,
  addProblem: AddVariableProblem,
): string {
  const key = values[variable];
  if (key !== undefined) return key;
  const named = values.MEMORY_LLM_PRIMARY === provider ? 'MEMORY_LLM_PRIMARY' : 'MEMORY_LLM_FALLBACKS';
  addProblem(variable, `is missing: ${named} names ${provider}, which needs a key`);
  return '';
}
