const HEADER_BYTES = 4;
/** Smallest normal number of IEEE 754 binary16: smaller ones are multiples of 2⁻²⁴. */
const MIN_NORMAL = 2 ** -14;

/** pgvector's binary encoding of a `vector`. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 4 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  vector.forEach((value, index) => bytes.writeFloatBE(value, HEADER_BYTES + 4 * index));
  return bytes;
}

/** pgvector's binary encoding of a `halfvec` with components from −1 to 1. */
export function encodeHalfvec(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 2 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  vector.forEach((value, index) => bytes.writeUInt16BE(toHalf(value), HEADER_BYTES + 2 * index));
  return bytes;
}

function toHalf(value: number): number {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < MIN_NORMAL) return sign + Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  // A fraction that rounds up to 1 024 carries over into the exponent.
  return sign + ((exponent + 15) << 10) + Math.round((size / 2 ** exponent - 1) * 1_024);
}
