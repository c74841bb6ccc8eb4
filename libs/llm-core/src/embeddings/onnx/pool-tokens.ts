/** How the vectors of tokens become one: their mean, or that of the first or last token. */
export const POOLINGS = ['mean', 'cls', 'last_token'] as const;
export type Pooling = (typeof POOLINGS)[number];

/** Vectors of the tokens of one text, one after the other in `data`; `dims` is 1, tokens, dimensions. */
export interface TokenVectors {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** One vector at unit length; a vector of zeros stays one. */
export function poolTokens({ data, dims }: TokenVectors, pooling: Pooling): Float32Array {
  const dimensions = dims.at(-1)!;
  const tokens = data.length / dimensions;
  const tokenAt = (index: number) => data.subarray(index * dimensions, (index + 1) * dimensions);
  if (pooling === 'cls') return toUnitLength(tokenAt(0));
  if (pooling === 'last_token') return toUnitLength(tokenAt(tokens - 1));
  // The sum points where the mean does.
  const sum = new Float32Array(dimensions);
  for (let index = 0; index < data.length; index += 1) sum[index % dimensions]! += data[index]!;
  return toUnitLength(sum);
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? new Float32Array(vector.length) : vector.map((value) => value / length);
}
