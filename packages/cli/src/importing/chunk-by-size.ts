/** Lists of at most so many items and bytes of JSON, in order; one item may have more bytes alone. */
export function chunkBySize<Item>(
  items: readonly Item[],
  limit: { readonly items: number; readonly bytes: number },
): Item[][] {
  const chunks: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = measure(item);
    const last = chunks.at(-1);
    if (last && last.length < limit.items && bytes + size <= limit.bytes) {
      last.push(item);
      bytes += size;
    } else {
      chunks.push([item]);
      bytes = size;
    }
  }
  return chunks;
}

export function measure(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(item));
}
