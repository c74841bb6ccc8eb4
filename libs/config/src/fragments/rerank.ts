import { defineFragment } from '../fragment.js';
import { integer, money, oneOf, optional, secretText, singleLine, url, withDefault } from '../variable.js';

export type RerankSettings =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'http';
      readonly api: 'cohere' | 'tei';
      readonly url: string;
      readonly apiKey?: string;
      readonly model: string;
      readonly scale: 'auto' | 'probability' | 'logit';
      readonly microUsdPerRequest: number;
    }
  | { readonly kind: 'onnx'; readonly modelFolder: string; readonly runtimeFolder: string };

export const rerank = defineFragment({
  title: 'Reranking',
  variables: {
    ANNALS_RERANK: withDefault(oneOf(['none', 'http', 'onnx']), 'none', {
      description:
        'Cross-encoder that reads query and candidates together: `http` calls a server, `onnx` runs a model inside the gateway (`npm run onnx` installs its runtime).',
    }),
    ANNALS_RERANK_CANDIDATES: withDefault(integer(1, 100), '50', {
      description: 'How many of the best candidates are reranked.',
      unit: 'candidates',
    }),
    ANNALS_RERANK_TIMEOUT_MS: withDefault(integer(50, 60_000), '1500', {
      description: 'Timeout of the reranker; after it, the query is answered without reranking, as `degraded`.',
      unit: 'ms',
    }),
    ANNALS_RERANK_API: withDefault(oneOf(['cohere', 'tei']), 'cohere', {
      description:
        'API of the server: `cohere` for Cohere, Jina, vLLM and llama.cpp, `tei` for text-embeddings-inference.',
    }),
    ANNALS_RERANK_URL: optional(url('an http or https URL', ['http:', 'https:']), 'an error with `http`', {
      description: 'Full URL of the endpoint, such as `https://api.cohere.com/v2/rerank`.',
    }),
    ANNALS_RERANK_API_KEY: optional(secretText(1), 'requests are sent without a key', {
      description: 'API key of the server.',
      secret: true,
    }),
    ANNALS_RERANK_MODEL: optional(singleLine('the name of a model'), 'an error with `http`', {
      description: 'Reranking model of the server.',
    }),
    ANNALS_RERANK_SCORES: withDefault(oneOf(['auto', 'probability', 'logit']), 'auto', {
      description:
        'Scale of the server’s scores: 0–1 (`probability`), raw (`logit`), or detected from each response (`auto`). llama.cpp returns logits.',
    }),
    ANNALS_RERANK_USD_PER_REQUEST: optional(money(), 'an error with `http`', {
      description: 'Price of a request of up to 100 texts, charged to the budgets; `0` for a self-hosted server.',
      unit: 'USD',
    }),
    ANNALS_RERANK_MODEL_DIR: optional(singleLine('the path of a folder'), 'an error with `onnx`', {
      description: 'Folder of the ONNX model, as in the repository of `Xenova/ms-marco-MiniLM-L-6-v2`.',
    }),
    ANNALS_RERANK_RUNTIME_DIR: withDefault(singleLine('the path of a folder'), '.onnx', {
      description: 'Folder into which `npm run onnx` installed the runtime.',
    }),
  },
  build: (values, addProblem) => {
    const kind = values.ANNALS_RERANK;
    const requireValue = <N extends keyof typeof values>(variable: N, missing: NonNullable<(typeof values)[N]>) => {
      const value = values[variable];
      if (value === undefined) addProblem(variable, `is missing: ANNALS_RERANK=${kind} needs it`);
      return value ?? missing;
    };
    const common = { candidates: values.ANNALS_RERANK_CANDIDATES, timeoutMs: values.ANNALS_RERANK_TIMEOUT_MS };
    return { ...common, model: buildModelSettings() };

    function buildModelSettings(): RerankSettings {
      if (kind === 'none') return { kind };
      if (kind === 'onnx') {
        return {
          kind,
          modelFolder: requireValue('ANNALS_RERANK_MODEL_DIR', ''),
          runtimeFolder: values.ANNALS_RERANK_RUNTIME_DIR,
        };
      }
      const apiKey = values.ANNALS_RERANK_API_KEY;
      const microUsdPerRequest = requireValue('ANNALS_RERANK_USD_PER_REQUEST', 0);
      if (microUsdPerRequest < 0) addProblem('ANNALS_RERANK_USD_PER_REQUEST', 'must be 0 or more');
      return {
        kind,
        api: values.ANNALS_RERANK_API,
        url: requireValue('ANNALS_RERANK_URL', 'http://localhost'),
        ...(apiKey === undefined ? {} : { apiKey }),
        model: requireValue('ANNALS_RERANK_MODEL', ''),
        scale: values.ANNALS_RERANK_SCORES,
        microUsdPerRequest,
      };
    }
  },
});
