import { defineFragment, requirer } from '../fragment.js';
import { country, integer, oneOf, optional, secretText, singleLine, url, withDefault } from '../variable.js';

/**
 * Vectors are stored PLAIN, so one must fit into a page of 8 kB
 * (docs/reference/performance-targets.md#t7-exact-search-by-default).
 */
const MAX_DIMENSIONS = 1_984;

export type EmbeddingsConfig =
  | { readonly kind: 'hashed' }
  | {
      readonly kind: 'openai';
      readonly baseUrl: string;
      readonly apiKey: string;
      readonly model: string;
      readonly dimensions: number;
    }
  | {
      readonly kind: 'onnx';
      readonly modelFolder: string;
      readonly runtimeFolder: string;
      readonly dimensions: number;
      readonly pooling: 'mean' | 'cls' | 'last_token';
    };

export const embeddings = defineFragment({
  title: 'Embeddings',
  variables: {
    kind: withDefault('ANNALS_EMBEDDINGS', oneOf(['hashed', 'openai', 'onnx']), 'hashed', {
      description:
        'How vectors are computed: `hashed` derives them from the words, `openai` calls OpenAI or a compatible server, `onnx` runs a model inside gateway and persistence (`npm run onnx` installs its runtime).',
    }),
    baseUrl: optional(
      'ANNALS_EMBEDDINGS_BASE_URL',
      url('an http or https URL', ['http:', 'https:']),
      'an error with `openai`',
      {
        description: 'Base URL of the server, with `/v1`.',
      },
    ),
    apiKey: optional('ANNALS_EMBEDDINGS_API_KEY', secretText(1), 'an error with `openai`', {
      description: 'API key of the server.',
      secret: true,
    }),
    model: optional('ANNALS_EMBEDDINGS_MODEL', singleLine('the name of a model'), 'an error with `openai`', {
      description: 'Embedding model of the server. Vectors of another model stay stored but are not compared.',
    }),
    dimensions: optional(
      'ANNALS_EMBEDDINGS_DIMENSIONS',
      integer(1, MAX_DIMENSIONS),
      'an error with `openai` and `onnx`',
      {
        description: `Length of the model's vectors (text-embedding-3-small: 1536, all-MiniLM-L6-v2: 384); at most ${MAX_DIMENSIONS}, since a vector must fit into a page of the database.`,
        unit: 'dimensions',
      },
    ),
    modelFolder: optional('ANNALS_EMBEDDINGS_MODEL_DIR', singleLine('the path of a folder'), 'an error with `onnx`', {
      description:
        'Folder of the ONNX model, as in the repository of `Xenova/all-MiniLM-L6-v2`. Its name is part of the name under which vectors are stored: another model needs another name.',
    }),
    pooling: withDefault('ANNALS_EMBEDDINGS_POOLING', oneOf(['mean', 'cls', 'last_token']), 'mean', {
      description:
        'How the vectors of tokens become one with `onnx`, as the model was trained: their `mean` (sentence-transformers), that of the first token (`cls`: BGE, GTE), or of the last (`last_token`: Qwen).',
    }),
    runtimeFolder: withDefault('ANNALS_EMBEDDINGS_RUNTIME_DIR', singleLine('the path of a folder'), '.onnx', {
      description: 'Folder into which `npm run onnx` installed the runtime.',
    }),
  },
  build: (values, addProblem): EmbeddingsConfig => {
    const { kind, pooling, runtimeFolder } = values;
    if (kind === 'hashed') return { kind };
    const requireValue = requirer(values, addProblem, `ANNALS_EMBEDDINGS=${kind}`);
    if (kind === 'onnx') {
      return {
        kind,
        modelFolder: requireValue('modelFolder', ''),
        runtimeFolder,
        dimensions: requireValue('dimensions', 0),
        pooling,
      };
    }
    return {
      kind: 'openai',
      baseUrl: requireValue('baseUrl', ''),
      apiKey: requireValue('apiKey', ''),
      model: requireValue('model', ''),
      dimensions: requireValue('dimensions', 0),
    };
  },
});

export const writing = defineFragment({
  title: 'Memories written by hand',
  variables: {
    checks: withDefault('ANNALS_WRITING_CHECKS', oneOf(['off', 'warn', 'refuse']), 'warn', {
      description:
        'Memories written by hand that violate a writing constraint: `off` does not check them, `warn` stores them as sent and names the violations in the response, `refuse` rejects the request. A tenant can have a setting of its own.',
    }),
  },
});

export const redaction = defineFragment({
  title: 'Redaction',
  variables: {
    defaultCountry: withDefault('ANNALS_REDACTION_DEFAULT_COUNTRY', country(), 'US', {
      description:
        'Country that telephone numbers without a country code belong to, unless a tenant has one of its own.',
    }),
    personalIds: withDefault('ANNALS_REDACTION_PERSONAL_IDS', oneOf(['keep', 'hash', 'refuse']), 'keep', {
      description:
        'Ids that contain personal data, such as an e-mail address as `user_id`: `keep` stores them as sent, `hash` stores and returns a pseudonym, `refuse` rejects requests that would store one. A tenant can have a setting of its own.',
    }),
  },
});
