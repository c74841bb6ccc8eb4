import { BLOCK_BYTES, BlockIndex, hashBlock, rollHash } from './block-index.js';
import { DeltaReader, DeltaWriter } from './delta-format.js';

/**
 * Encodes `next` as a delta against `old`: copied runs and inserted bytes. The common prefix and suffix are found
 * first; between them, shared runs of at least 32 bytes are found wherever they moved. Time is linear in both lengths.
 */
export function diffStates(old: Buffer, next: Buffer): Buffer {
  const maxShared = Math.min(old.length, next.length);
  const head = countEqual(old, 0, next, 0, maxShared);
  let tail = 0;
  while (tail < maxShared - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;
  const writer = new DeltaWriter();
  writer.copy(0, head);
  diffMiddle(old, head, old.length - tail, next, head, next.length - tail, writer);
  writer.copy(old.length - tail, tail);
  return writer.finish();
}

function diffMiddle(
  old: Buffer,
  oldFrom: number,
  oldTo: number,
  next: Buffer,
  nextFrom: number,
  nextTo: number,
  writer: DeltaWriter,
): void {
  let written = nextFrom;
  let at = nextFrom;
  if (oldTo - oldFrom >= BLOCK_BYTES && nextTo - nextFrom >= BLOCK_BYTES) {
    const index = new BlockIndex(old, oldFrom, oldTo);
    let hash = hashBlock(next, at);
    while (at + BLOCK_BYTES <= nextTo) {
      const found = index.find(hash, next, at);
      if (found < 0) {
        hash = rollHash(hash, next[at]!, next[at + BLOCK_BYTES] ?? 0);
        at += 1;
        continue;
      }
      let back = 0;
      while (at - back > written && found - back > oldFrom && next[at - back - 1] === old[found - back - 1]) back += 1;
      const length = countEqual(old, found, next, at, Math.min(oldTo - found, nextTo - at));
      writer.insert(next.subarray(written, at - back));
      writer.copy(found - back, length + back);
      at += length;
      written = at;
      if (at + BLOCK_BYTES <= nextTo) hash = hashBlock(next, at);
    }
  }
  writer.insert(next.subarray(written, nextTo));
}

/** A run of bytes of one of the buffers that make up a state. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly end: number;
}

/**
 * Applies the deltas in order to a snapshot. The runs are composed first and copied once, however many deltas there
 * are. Throws a RangeError when a delta does not fit the state before it, or makes another length than `lengths` says.
 */
export function applyDeltas(whole: Uint8Array, deltas: readonly Uint8Array[], lengths?: readonly number[]): Buffer {
  let pieces: Piece[] = [{ bytes: whole, end: whole.length }];
  for (const [index, delta] of deltas.entries()) pieces = applyDelta(pieces, delta, lengths?.[index]);
  return Buffer.concat(
    pieces.map(({ bytes }) => bytes),
    pieces.at(-1)?.end ?? 0,
  );
}

const OTHER_LENGTH = 'The delta makes another length than it was stored with.';

function applyDelta(before: readonly Piece[], delta: Uint8Array, expected: number | undefined): Piece[] {
  const length = before.at(-1)?.end ?? 0;
  const after: Piece[] = [];
  let end = 0;
  const push = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    end += bytes.length;
    if (expected !== undefined && end > expected) throw new RangeError(OTHER_LENGTH);
    after.push({ bytes, end });
  };
  const reader = new DeltaReader(delta);
  for (let run = reader.next(); run !== null; run = reader.next()) {
    if (run.kind === 'insert') {
      push(run.bytes);
      continue;
    }
    if (run.offset + run.length > length) throw new RangeError('The delta does not fit the state before it.');
    let from = run.offset;
    const to = run.offset + run.length;
    for (let index = findPiece(before, from); from < to; index += 1) {
      const piece = before[index]!;
      const start = piece.end - piece.bytes.length;
      const until = Math.min(to, piece.end);
      push(piece.bytes.subarray(from - start, until - start));
      from = until;
    }
  }
  if (expected !== undefined && end !== expected) throw new RangeError(OTHER_LENGTH);
  return after;
}

function findPiece(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pieces[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Bytes per call of `compare`: a call costs about as much as comparing this many bytes one by one. */
const CHUNK_BYTES = 256;

/** The number of equal bytes from `a[from]` and `b[at]` on, at most `limit`. */
function countEqual(a: Buffer, from: number, b: Buffer, at: number, limit: number): number {
  let count = 0;
  while (limit - count >= CHUNK_BYTES) {
    const [start, end] = [from + count, from + count + CHUNK_BYTES];
    if (b.compare(a, start, end, at + count, at + count + CHUNK_BYTES) !== 0) break;
    count += CHUNK_BYTES;
  }
  while (count < limit && a[from + count] === b[at + count]) count += 1;
  return count;
}
