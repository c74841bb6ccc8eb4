import { HashedEmbedder } from './hashed/hashed-embedder.js';
import { OnnxEmbedder, type OnnxEmbedderOptions } from './onnx/onnx-embedder.js';
import { OpenAIEmbedder } from './openai/openai-embedder.js';
import type { OpenAIEmbedderOptions } from './openai/openai-embedder.js';
import type { EmbeddingProvider } from './embedding-provider.js';

/** Which embedder to build; one member per provider. */
export type EmbeddingConfig =
  | { provider: 'hashed' }
  | ({ provider: 'openai' } & OpenAIEmbedderOptions)
  | ({ provider: 'onnx' } & OnnxEmbedderOptions);

export const EMBEDDING_PROVIDER_NAMES: readonly EmbeddingConfig['provider'][] = ['hashed', 'openai', 'onnx'];

/**
 * Creates the embedding provider that `config.provider` names.
 * @throws Error listing the known providers when the configured one is not among them.
 */
export function createEmbeddingProvider(config: EmbeddingConfig): EmbeddingProvider {
  switch (config.provider) {
    case 'hashed':
      return new HashedEmbedder();
    case 'openai':
      return new OpenAIEmbedder(config);
    case 'onnx':
      return new OnnxEmbedder(config);
    default:
      throw new Error(`Unknown embedding provider: set "provider" to one of: ${EMBEDDING_PROVIDER_NAMES.join(', ')}.`);
  }
}
