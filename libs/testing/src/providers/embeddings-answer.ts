/** A request to an embeddings endpoint. */
export interface EmbeddingsRequest {
  model: string;
  input: readonly string[];
  encodingFormat?: string | undefined;
  /** The vector of a text. Default: a different one for each text, of `dimensions`. */
  vectorOf?: ((text: string) => readonly number[]) | undefined;
}

/** The response body: vectors as arrays of numbers, or as base64 of 32-bit floats if requested. */
export function buildEmbeddings({ model, input, encodingFormat, vectorOf }: EmbeddingsRequest, dimensions: number) {
  const data = input.map((text, index) => {
    const vector = vectorOf ? Float32Array.from(vectorOf(text)) : fakeVector(text, dimensions);
    return {
      object: 'embedding',
      index,
      embedding: encodingFormat === 'base64' ? toBase64(vector) : Array.from(vector),
    };
  });
  const tokens = input.reduce((total, text) => total + Math.ceil(text.length / 4), 0);
  return { object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Deterministic: a different vector for each text; not normalized to unit length, like those of local servers. */
function fakeVector(text: string, dimensions: number): Float32Array {
  let seed = 7;
  for (const character of text) seed = (seed * 31 + character.codePointAt(0)!) % 1_000_003;
  return Float32Array.from({ length: dimensions }, (_, index) => Math.sin(seed + index) + 0.01);
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}
