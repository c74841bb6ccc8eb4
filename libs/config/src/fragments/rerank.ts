import { defineFragment, requirer } from '../fragment.js';
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
    kind: withDefault('ANNALS_RERANK', oneOf(['none', 'http', 'onnx']), 'none', {
      description:
        'Cross-encoder that reads query and candidates together: `http` calls a server, `onnx` runs a model inside the gateway (`npm run onnx` installs its runtime).',
    }),
    candidates: withDefault('ANNALS_RERANK_CANDIDATES', integer(1, 100), '50', {
      description: 'How many of the best candidates are reranked.',
      unit: 'candidates',
    }),
    timeoutMs: withDefault('ANNALS_RERANK_TIMEOUT_MS', integer(50, 60_000), '1500', {
      description: 'Timeout of the reranker; after it, the query is answered without reranking, as `degraded`.',
      unit: 'ms',
    }),
    api: withDefault('ANNALS_RERANK_API', oneOf(['cohere', 'tei']), 'cohere', {
      description:
        'API of the server: `cohere` for Cohere, Jina, vLLM and llama.cpp, `tei` for text-embeddings-inference.',
    }),
    url: optional('ANNALS_RERANK_URL', url('an http or https URL', ['http:', 'https:']), 'an error with `http`', {
      description: 'Full URL of the endpoint, such as `https://api.cohere.com/v2/rerank`.',
    }),
    apiKey: optional('ANNALS_RERANK_API_KEY', secretText(1), 'requests are sent without a key', {
      description: 'API key of the server.',
      secret: true,
    }),
    model: optional('ANNALS_RERANK_MODEL', singleLine('the name of a model'), 'an error with `http`', {
      description: 'Reranking model of the server.',
    }),
    scale: withDefault('ANNALS_RERANK_SCORES', oneOf(['auto', 'probability', 'logit']), 'auto', {
      description:
        'Scale of the server’s scores: 0–1 (`probability`), raw (`logit`), or detected from each response (`auto`). llama.cpp returns logits.',
    }),
    microUsdPerRequest: optional('ANNALS_RERANK_USD_PER_REQUEST', money(), 'an error with `http`', {
      description: 'Price of a request of up to 100 texts, charged to the budgets; `0` for a self-hosted server.',
      unit: 'USD',
    }),
    modelFolder: optional('ANNALS_RERANK_MODEL_DIR', singleLine('the path of a folder'), 'an error with `onnx`', {
      description: 'Folder of the ONNX model, as in the repository of `Xenova/ms-marco-MiniLM-L-6-v2`.',
    }),
    runtimeFolder: withDefault('ANNALS_RERANK_RUNTIME_DIR', singleLine('the path of a folder'), '.onnx', {
      description: 'Folder into which `npm run onnx` installed the runtime.',
    }),
  },
  build: (values, addProblem) => {
    const { candidates, timeoutMs, kind } = values;
    return { candidates, timeoutMs, model: buildModelSettings() };

    function buildModelSettings(): RerankSettings {
      if (kind === 'none') return { kind };
      const requireValue = requirer(values, addProblem, `ANNALS_RERANK=${kind}`);
      if (kind === 'onnx')
        return { kind, modelFolder: requireValue('modelFolder', ''), runtimeFolder: values.runtimeFolder };
      const { api, apiKey, scale } = values;
      const microUsdPerRequest = requireValue('microUsdPerRequest', 0);
      if (microUsdPerRequest < 0) addProblem('microUsdPerRequest', 'must be 0 or more');
      return {
        kind,
        api,
        url: requireValue('url', 'http://localhost'),
        ...(apiKey === undefined ? {} : { apiKey }),
        model: requireValue('model', ''),
        scale,
        microUsdPerRequest,
      };
    }
  },
});
