import { defineFragment } from '../fragment.js';
import { integer, oneOf, optional, pattern, secretText, singleLine, url, withDefault } from '../variable.js';

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
    };

export const embeddings = defineFragment({
  title: 'Embeddings',
  variables: {
    ANNALS_EMBEDDINGS: withDefault(oneOf(['hashed', 'openai']), 'hashed', {
      description:
        'How vectors are computed: `hashed` derives them from the words, `openai` calls OpenAI or a compatible server.',
    }),
    ANNALS_EMBEDDINGS_BASE_URL: optional(url('an http or https URL', ['http:', 'https:']), 'an error with `openai`', {
      description: 'Base URL of the server, with `/v1`.',
    }),
    ANNALS_EMBEDDINGS_API_KEY: optional(secretText(1), 'an error with `openai`', {
      description: 'API key of the server.',
      secret: true,
    }),
    ANNALS_EMBEDDINGS_MODEL: optional(singleLine('the name of a model'), 'an error with `openai`', {
      description: 'Embedding model of the server. Vectors of another model stay stored but are not compared.',
    }),
    ANNALS_EMBEDDINGS_DIMENSIONS: optional(integer(1, MAX_DIMENSIONS), 'an error with `openai`', {
      description: `Length of the model's vectors (text-embedding-3-small: 1536); at most ${MAX_DIMENSIONS}, since a vector must fit into a page of the database.`,
      unit: 'dimensions',
    }),
  },
  build: (values, addProblem): EmbeddingsConfig => {
    if (values.ANNALS_EMBEDDINGS === 'hashed') return { kind: 'hashed' };
    const requireValue = <N extends keyof typeof values>(variable: N, missing: NonNullable<(typeof values)[N]>) => {
      const value = values[variable];
      if (value === undefined) addProblem(variable, 'is missing: ANNALS_EMBEDDINGS=openai needs it');
      return value ?? missing;
    };
    return {
      kind: 'openai',
      baseUrl: requireValue('ANNALS_EMBEDDINGS_BASE_URL', ''),
      apiKey: requireValue('ANNALS_EMBEDDINGS_API_KEY', ''),
      model: requireValue('ANNALS_EMBEDDINGS_MODEL', ''),
      dimensions: requireValue('ANNALS_EMBEDDINGS_DIMENSIONS', 0),
    };
  },
});

export const redaction = defineFragment({
  title: 'Redaction',
  variables: {
    ANNALS_REDACTION_DEFAULT_COUNTRY: withDefault(pattern('two capital letters (ISO 3166)', /^[A-Z]{2}$/), 'US', {
      description: 'Country that telephone numbers without a country code belong to.',
    }),
  },
  build: (values) => ({ defaultCountry: values.ANNALS_REDACTION_DEFAULT_COUNTRY }),
});
