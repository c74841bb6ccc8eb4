import type { PostingEntry } from './types.js';

/** Bytes of one entry: unit (int32), weight (uint16), length (uint16), little-endian. */
export const ENTRY_BYTES = 8;

const MAX_UINT16 = 0xffff;

/** Encodes entries for storage; encoded segments may be concatenated. Weights and lengths are capped at 65 535. */
export function encodeEntries(entries: readonly PostingEntry[]): Buffer {
  const bytes = Buffer.allocUnsafe(entries.length * ENTRY_BYTES);
  entries.forEach(({ unit, weight, length }, index) => {
    bytes.writeInt32LE(unit, index * ENTRY_BYTES);
    bytes.writeUInt16LE(Math.min(MAX_UINT16, weight), index * ENTRY_BYTES + 4);
    bytes.writeUInt16LE(Math.min(MAX_UINT16, length), index * ENTRY_BYTES + 6);
  });
  return bytes;
}

/** Two 32-bit words an entry: unit; weight (lower half) and length. Without a copy if aligned to 4 bytes. */
export function toWords(bytes: Uint8Array): Int32Array {
  const length = Math.floor(bytes.byteLength / ENTRY_BYTES) * 2;
  if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, length);
  return new Int32Array(Uint8Array.from(bytes).buffer, 0, length);
}

/** The entries without those of the units from 0 to `firstUnit`; texts that are not in the index have numbers below 0. */
export function dropFormerUnits(bytes: Uint8Array, firstUnit: number): Uint8Array {
  const words = toWords(bytes);
  const isFormer = (index: number) => words[index]! >= 0 && words[index]! < firstUnit;
  let isWhole = true;
  for (let index = 0; index < words.length && isWhole; index += 2) isWhole = !isFormer(index);
  if (isWhole) return bytes;
  const kept = new Int32Array(words.length);
  let length = 0;
  for (let index = 0; index < words.length; index += 2) {
    if (isFormer(index)) continue;
    kept[length++] = words[index]!;
    kept[length++] = words[index + 1]!;
  }
  return new Uint8Array(kept.buffer, 0, length * 4);
}
