import { LLMError } from '../../provider/llm-error.js';

interface EmbeddingItem {
  index: number;
  /** Numbers, or little-endian float32 in base64: the SDK decodes base64 only if it chose the encoding. */
  embedding: readonly number[] | string;
}

/**
 * Parses the vectors of a response, in the order of their texts, at unit length.
 * @throws LLMError `invalid_request` when the vectors have other dimensions than configured, `transient` when the
 * response does not contain one usable vector per text.
 */
export function parseVectors(
  items: readonly EmbeddingItem[] | undefined,
  count: number,
  dimensions: number,
): Float32Array[] {
  const vectors = Array.from<Float32Array | undefined>({ length: count });
  for (const { index, embedding } of items ?? []) {
    const values = typeof embedding === 'string' ? decodeFloats(embedding) : embedding;
    if (values.length !== dimensions) {
      throw new LLMError(
        'invalid_request',
        `The embedding model returns vectors with ${values.length} dimensions, but ${dimensions} are configured. Set ANNALS_EMBEDDINGS_DIMENSIONS to ${values.length}.`,
        { provider: 'openai' },
      );
    }
    vectors[index] = toUnitLength(values);
  }
  return vectors.map((vector) => vector ?? failUnusable());
}

/** Reads the bytes in native order: all platforms of Node are little-endian. */
function decodeFloats(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
}

function toUnitLength(values: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += values[index]! ** 2;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) failUnusable();
  const unit = new Float32Array(values.length);
  for (let index = 0; index < values.length; index += 1) unit[index] = values[index]! / length;
  return unit;
}

function failUnusable(): never {
  throw new LLMError('transient', 'The embedding server did not return one usable vector per text.', {
    provider: 'openai',
  });
}
