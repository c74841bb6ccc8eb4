const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * FNV-1a over the UTF-16 units of `kind` and of `text` from `start` up to `end`, finished with MurmurHash3's `fmix32` so
 * that low and high bits are equally good. 32 bits, unsigned, the same on every platform.
 */
export function hashFeature(kind: string, text: string, start = 0, end = text.length): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < kind.length; i++) hash = Math.imul(hash ^ kind.charCodeAt(i), FNV_PRIME);
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
