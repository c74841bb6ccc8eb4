import { LLMError } from '../../provider/llm-error.js';

interface EmbeddingItem {
  index: number;
  embedding: readonly number[];
}

/**
 * Vectors of an answer in the order of their texts, at unit length.
 * @throws LLMError `invalid_request` when the model has other dimensions than configured, `transient` when the answer
 * is not one usable vector per text.
 */
export function readVectors(
  items: readonly EmbeddingItem[] | undefined,
  count: number,
  dimensions: number,
): Float32Array[] {
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const { index, embedding } of items ?? []) {
    if (embedding.length !== dimensions) {
      throw new LLMError(
        'invalid_request',
        `The embedding model gives vectors of ${embedding.length} dimensions, but ${dimensions} are configured. Set the dimensions to ${embedding.length}.`,
        { provider: 'openai' },
      );
    }
    vectors[index] = toUnitLength(embedding);
  }
  return vectors.map((vector) => vector ?? failUnusable());
}

function toUnitLength(values: readonly number[]): Float32Array {
  const length = Math.sqrt(values.reduce((total, value) => total + value * value, 0));
  if (!(length > 0) || !Number.isFinite(length)) failUnusable();
  return Float32Array.from(values, (value) => value / length);
}

function failUnusable(): never {
  throw new LLMError('transient', 'The embedding server did not answer with one usable vector per text.', {
    provider: 'openai',
  });
}
