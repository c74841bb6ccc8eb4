import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The first byte of what is stored. */
const RAW = 0;
const ZSTD = 1;

/** Below that compressing takes longer than writing what it saves. */
const MIN_COMPRESS_BYTES = 2_048;
/** A third of the time of level 3, for bodies that are 5 % larger. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A whole state or a delta as it is stored. */
export function packBody(bytes: Uint8Array): Buffer {
  if (bytes.length >= MIN_COMPRESS_BYTES) {
    const packed = zstdCompressSync(bytes, OPTIONS);
    if (packed.length < bytes.length) return Buffer.concat([Uint8Array.of(ZSTD), packed]);
  }
  return Buffer.concat([Uint8Array.of(RAW), bytes]);
}

/** What was packed. Throws for anything else. */
export function unpackBody(body: Uint8Array): Uint8Array {
  switch (body[0]) {
    case RAW:
      return body.subarray(1);
    case ZSTD:
      return zstdDecompressSync(body.subarray(1));
    default:
      throw new Error('A stored checkpoint has a form that this release does not know.');
  }
}
