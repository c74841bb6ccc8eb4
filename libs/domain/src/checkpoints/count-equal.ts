/** Bytes per call of `compare`: a call costs about as much as comparing this many bytes one by one. */
const CHUNK_BYTES = 256;

/** The number of equal bytes from `a[from]` and `b[at]` on, at most `limit`. */
export function countEqual(a: Buffer, from: number, b: Buffer, at: number, limit: number): number {
  let count = 0;
  while (limit - count >= CHUNK_BYTES) {
    const [start, end] = [from + count, from + count + CHUNK_BYTES];
    if (b.compare(a, start, end, at + count, at + count + CHUNK_BYTES) !== 0) break;
    count += CHUNK_BYTES;
  }
  while (count < limit && a[from + count] === b[at + count]) count += 1;
  return count;
}
