/** Shorter shared runs are not searched: a copy instruction takes about five bytes. */
export const BLOCK_BYTES = 32;

const MULTIPLIER = 0x01000193;
/** MULTIPLIER to the power of BLOCK_BYTES − 1: the factor of the byte that leaves the window. */
const LEAVING_BYTE_FACTOR = powerOf(MULTIPLIER, BLOCK_BYTES - 1);

/** Offsets of the aligned blocks of some bytes, by hash; of blocks that share a slot, the first. */
export class BlockIndex {
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(
    private readonly bytes: Uint8Array,
    from: number,
    to: number,
  ) {
    const blocks = Math.floor((to - from) / BLOCK_BYTES);
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, blocks * 2)));
    this.slots = new Int32Array(size).fill(-1);
    this.mask = size - 1;
    for (let block = blocks - 1; block >= 0; block -= 1) {
      const start = from + block * BLOCK_BYTES;
      this.slots[mixHash(hashBlock(bytes, start)) & this.mask] = start;
    }
  }

  /** Where the indexed bytes equal the block of `other` at `at`, whose rolling hash is `hash`; −1 without one. */
  find(hash: number, other: Uint8Array, at: number): number {
    const start = this.slots[mixHash(hash) & this.mask]!;
    if (start < 0) return -1;
    for (let step = 0; step < BLOCK_BYTES; step += 1) if (this.bytes[start + step] !== other[at + step]) return -1;
    return start;
  }
}

/** Rolling hash (Rabin–Karp) of the block that begins at `start`. */
export function hashBlock(bytes: Uint8Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + BLOCK_BYTES; at += 1) hash = (Math.imul(hash, MULTIPLIER) + bytes[at]!) | 0;
  return hash;
}

/** The hash of the block that starts one byte later. */
export function rollHash(hash: number, leaving: number, entering: number): number {
  return (Math.imul(hash - Math.imul(leaving, LEAVING_BYTE_FACTOR), MULTIPLIER) + entering) | 0;
}

function mixHash(hash: number): number {
  return hash ^ (hash >>> 15);
}

function powerOf(base: number, exponent: number): number {
  let power = 1;
  for (let step = 0; step < exponent; step += 1) power = Math.imul(power, base);
  return power;
}
