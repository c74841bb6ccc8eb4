import type { SummarizedMessage } from './types.js';

/** Most tokens of a chunk, unless one message alone has more. */
const MAX_CHUNK_TOKENS = 3_000;

/** The messages of a range that was summarised as a chunk before. */
export interface ChunkRange {
  readonly position: number;
  readonly fromSeq: number;
  readonly toSeq: number;
}

export interface Chunk extends ChunkRange {
  readonly messages: readonly SummarizedMessage[];
  readonly tokens: number;
  /** False for the last chunk while the next message may still belong to it. */
  readonly isClosed: boolean;
}

/**
 * Cuts messages, in order of `seq`, into chunks that end at messages. Appending changes the last chunk alone, and ranges
 * that were chunks before stay so whatever was deleted in them: their neighbours need not be made again. A chunk of
 * which no message is left is not returned.
 */
export function cutChunks(messages: readonly SummarizedMessage[], known: readonly ChunkRange[] = []): Chunk[] {
  const ranges = known.toSorted((a, b) => a.position - b.position);
  const chunks: Chunk[] = [];
  let next = 0;
  for (const { position, toSeq } of ranges) {
    const start = next;
    while (next < messages.length && messages[next]!.seq <= toSeq) next += 1;
    if (next > start) chunks.push(createChunk(position, messages.slice(start, next), true));
  }
  let position = (ranges.at(-1)?.position ?? -1) + 1;
  let start = next;
  let tokens = 0;
  for (; next < messages.length; next += 1) {
    const size = messages[next]!.tokens;
    if (next > start && tokens + size > MAX_CHUNK_TOKENS) {
      chunks.push(createChunk(position, messages.slice(start, next), true));
      position += 1;
      start = next;
      tokens = 0;
    }
    tokens += size;
  }
  if (start < messages.length) chunks.push(createChunk(position, messages.slice(start), false));
  return chunks;
}

function createChunk(position: number, messages: readonly SummarizedMessage[], isClosed: boolean): Chunk {
  return {
    position,
    messages,
    isClosed,
    fromSeq: messages[0]!.seq,
    toSeq: messages.at(-1)!.seq,
    tokens: sumTokens(messages),
  };
}

export function sumTokens(messages: readonly SummarizedMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0);
}
