/** Decimal digits: a half-precision component of a unit vector has at most five significant ones. */
const DIGITS = 6;
const SCALE = 10 ** DIGITS;

/**
 * pgvector's text form of the vector at unit length: integers with an exponent, since a float32 written as a double has
 * seventeen digits, which take longer to format, to send and to parse. A vector of zeros stays one.
 */
export function halfvecLiteral(vector: Float32Array): string {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += vector[index]! ** 2;
  const scale = squares === 0 ? 0 : SCALE / Math.sqrt(squares);
  const scaled = new Int32Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) scaled[index] = Math.round(vector[index]! * scale);
  return `[${scaled.join(`e-${DIGITS},`)}e-${DIGITS}]`;
}

/** Components follow a header of two 16-bit numbers: their count and zero. */
const HEADER_BYTES = 4;

/** Decodes a vector from pgvector's binary form, `halfvec_send(…)`: its text would be three times as long. */
export function readHalfvec(bytes: Buffer): Float32Array {
  const floats = (floatOfHalf ??= listFloats());
  const vector = new Float32Array(bytes.readUInt16BE(0));
  for (let index = 0; index < vector.length; index += 1) {
    vector[index] = floats[bytes.readUInt16BE(HEADER_BYTES + 2 * index)]!;
  }
  return vector;
}

/** Bytes of a vector in that form. */
export const halfvecBytes = (dimensions: number): number => HEADER_BYTES + 2 * dimensions;

/** The value of each of the 65,536 half-precision numbers: computed one by one, a query's vectors would take 40 ms. */
let floatOfHalf: Float32Array | undefined;

const listFloats = () => Float32Array.from({ length: 0x1_0000 }, (_, half) => toFloat(half));

/**
 * Decodes IEEE 754 binary16: a sign, 5 bits of exponent and 10 of fraction. pgvector stores neither infinity nor NaN.
 */
function toFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
