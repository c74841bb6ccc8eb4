import { defineFragment, type AddProblem, type ValuesOf } from '../fragment.js';
import { flag, integer, listOf, oneOf, optional, secretText, singleLine, url, withDefault } from '../variable.js';

/** Providers that extract memories, as the configuration spells them. */
export const LLM_PROVIDERS = ['local', 'claude', 'openai'] as const;
export type LlmProviderName = (typeof LLM_PROVIDERS)[number];

/** What a provider lets the whole fleet send in any minute; null: not limited. */
export interface ConfiguredRates {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** One provider of the chain, with everything that is needed to ask it. */
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
      /** A server whose answers cost nothing. */
      readonly isFree: boolean;
      readonly rates: ConfiguredRates;
    };

const httpUrl = url('an http or https URL', ['http:', 'https:']);
const perMinute = integer(0, 1_000_000_000);
const ZERO_MEANS_UNLIMITED = '`0` does not limit them.';

const variables = {
  MEMORY_LLM_PRIMARY: withDefault(oneOf(LLM_PROVIDERS), 'local', {
    description: 'Provider that extracts memories. `local` is rule-based English and needs no key.',
  }),
  MEMORY_LLM_FALLBACKS: optional(listOf(LLM_PROVIDERS), 'a batch waits or fails when the primary does', {
    description: 'Providers that are asked, in this order, when the primary fails.',
  }),
  MEMORY_LLM_CLAUDE_API_KEY: optional(secretText(1), 'an error when `claude` is used', {
    description: 'Key of the Claude API.',
    secret: true,
  }),
  MEMORY_LLM_CLAUDE_MODEL: withDefault(singleLine('the name of a model'), 'claude-haiku-5-5', {
    description: 'Model of Claude that extracts.',
  }),
  MEMORY_LLM_CLAUDE_BASE_URL: optional(httpUrl, "Anthropic's own", {
    description: 'Other address of the Claude API, a proxy for example.',
  }),
  MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: withDefault(perMinute, '50', {
    description: `Calls the account allows, over all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'requests per minute',
  }),
  MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: withDefault(perMinute, '40000', {
    description: `Input and output tokens the account allows, over all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'tokens per minute',
  }),
  MEMORY_LLM_OPENAI_API_KEY: optional(secretText(1), 'an error when `openai` is used without a base URL', {
    description: 'Key of the OpenAI API, or of the compatible server if that wants one.',
    secret: true,
  }),
  MEMORY_LLM_OPENAI_MODEL: withDefault(singleLine('the name of a model'), 'gpt-6-luna', {
    description: 'Model of OpenAI, or of the compatible server, that extracts.',
  }),
  MEMORY_LLM_OPENAI_BASE_URL: optional(httpUrl, "OpenAI's own", {
    description: 'Address of a compatible server (vLLM, Ollama, llama.cpp, LM Studio), with `/v1`.',
  }),
  MEMORY_LLM_OPENAI_FREE: withDefault(flag(), 'false', {
    description: 'Whether calls to the server at the base URL cost nothing. Otherwise its model needs a price.',
  }),
  MEMORY_LLM_OPENAI_REQUESTS_PER_MINUTE: withDefault(perMinute, '500', {
    description: `Calls the account allows, over all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'requests per minute',
  }),
  MEMORY_LLM_OPENAI_TOKENS_PER_MINUTE: withDefault(perMinute, '90000', {
    description: `Input and output tokens the account allows, over all processes. ${ZERO_MEANS_UNLIMITED}`,
    unit: 'tokens per minute',
  }),
  MEMORY_LLM_TIMEOUT_MS: withDefault(integer(1_000, 240_000), '60000', {
    description: 'Time one call of a model may take.',
    unit: 'ms',
  }),
  MEMORY_LLM_MAX_OUTPUT_TOKENS: withDefault(integer(256, 128_000), '4096', {
    description:
      'Tokens after which an answer is cut. Each call reserves their price, so more of them admit fewer calls.',
    unit: 'tokens',
  }),
  // Reading an answer packet by packet takes several times the CPU of reading it whole, in every SDK and without one.
  MEMORY_LLM_STREAMING: withDefault(flag(), 'false', {
    description:
      'Whether answers are read while they are written: a provider that falls silent is noticed sooner, for several times the CPU a call.',
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

/** Servers of one's own mostly want no key, while the client insists on one. */
const NO_KEY = 'none';

function buildOpenAI(values: Values, addProblem: AddVariableProblem): ConfiguredModel {
  const baseUrl = values.MEMORY_LLM_OPENAI_BASE_URL;
  const isFree = values.MEMORY_LLM_OPENAI_FREE;
  if (isFree && baseUrl === undefined) {
    addProblem(
      'MEMORY_LLM_OPENAI_FREE',
      "must be `false` without MEMORY_LLM_OPENAI_BASE_URL, since OpenAI's own API costs",
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
