import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** What a thread has stored since its last snapshot. */
export interface DeltaChainStatistics {
  readonly versions: number;
  readonly wholeBytes: number;
  readonly deltaBytes: number;
}

/** Maximum number of deltas that are applied to read one version. */
export const MAX_DELTAS = 64;
/** Rows have an overhead: below this size another snapshot saves nothing. */
export const MIN_DELTA_BYTES = 4_096;

/** Whether the delta would make a read cost more than twice the snapshot. So snapshots grow by a constant factor. */
export function shouldStoreSnapshot(
  { versions, wholeBytes, deltaBytes }: DeltaChainStatistics,
  nextDeltaBytes: number,
): boolean {
  if (versions >= MAX_DELTAS) return true;
  return deltaBytes + nextDeltaBytes > Math.max(wholeBytes, MIN_DELTA_BYTES);
}

/** The first byte of a stored body: its encoding. */
const RAW = 0;
const ZSTD = 1;

/** Below this size, compressing takes longer than writing the bytes that it saves. */
const MIN_COMPRESS_BYTES = 2_048;
/** Level 1 takes a third of the time of level 3; bodies are 5 % larger. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** `minCompressBytes`: shorter bodies are stored as they are; the default is where time counts more than space. */
export function packBody(bytes: Uint8Array, minCompressBytes = MIN_COMPRESS_BYTES): Buffer {
  if (bytes.length >= minCompressBytes) {
    const packed = zstdCompressSync(bytes, OPTIONS);
    if (packed.length < bytes.length) return Buffer.concat([Uint8Array.of(ZSTD), packed]);
  }
  return Buffer.concat([Uint8Array.of(RAW), bytes]);
}

/** Decodes a stored body. Throws for an unknown encoding. */
export function unpackBody(body: Uint8Array): Uint8Array {
  switch (body[0]) {
    case RAW:
      return body.subarray(1);
    case ZSTD:
      return zstdDecompressSync(body.subarray(1));
    default:
      throw new Error('A stored checkpoint has an encoding that this release does not know.');
  }
}
