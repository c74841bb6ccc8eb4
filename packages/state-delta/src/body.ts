import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The first byte of a stored body: its encoding. */
const RAW = 0;
const ZSTD = 1;
/** Before the compressed bytes is how many there are without compression, in four bytes, the highest first. */
const SIZED_ZSTD = 2;
const SIZE_BYTES = 4;

/** Below this size, compressing takes longer than writing the bytes that it saves. */
const MIN_COMPRESS_BYTES = 2_048;
/** Most of what LangGraph stores are single messages, each as a delta and as a write: compressed they take 3/5. */
const MIN_SMALL_BYTES = 256;
/** Level 1 takes a third of the time of level 3; bodies are 5 % larger. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Encodes what is stored: compressed if that saves space. */
export function packBody(bytes: Uint8Array): Buffer {
  return pack(bytes, MIN_COMPRESS_BYTES, Uint8Array.of(ZSTD));
}

/** The same where space counts more than time. */
export function packSmall(bytes: Uint8Array): Buffer {
  return pack(bytes, MIN_SMALL_BYTES, Uint8Array.of(ZSTD));
}

/** The same, so that its reader can tell how much it will be before it unpacks it. */
export function packSized(bytes: Uint8Array): Buffer {
  const head = Buffer.from([SIZED_ZSTD, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 1);
  return pack(bytes, MIN_SMALL_BYTES, head);
}

function pack(bytes: Uint8Array, minCompressBytes: number, head: Uint8Array): Buffer {
  if (bytes.length >= minCompressBytes) {
    const packed = zstdCompressSync(bytes, OPTIONS);
    if (head.length + packed.length <= bytes.length) return Buffer.concat([head, packed]);
  }
  return Buffer.concat([Uint8Array.of(RAW), bytes]);
}

/** Decodes a stored body. Throws for an unknown encoding, and when it has more bytes than it says. */
export function unpackBody(body: Uint8Array): Uint8Array {
  switch (body[0]) {
    case RAW:
      return body.subarray(1);
    case ZSTD:
      return zstdDecompressSync(body.subarray(1));
    case SIZED_ZSTD: {
      const size = Buffer.from(body.buffer, body.byteOffset, body.length).readUInt32BE(1);
      return zstdDecompressSync(body.subarray(1 + SIZE_BYTES), { maxOutputLength: Math.max(size, 1) });
    }
    default:
      throw new Error('A stored checkpoint has an encoding that this release does not know.');
  }
}
