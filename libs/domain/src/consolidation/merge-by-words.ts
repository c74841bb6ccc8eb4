import type { MemoryType } from '@annals/contracts';
import { findContaining } from './find-containing.js';

/** A statement as pairs of memories are decided by. */
export interface PairedStatement {
  readonly content: string;
  readonly type: MemoryType;
}

/**
 * The one text that states both of two memories of a user, when words alone decide that they are one fact: one contains
 * the other. Null otherwise: without a model no other two memories are merged.
 */
export function mergeByWords(a: PairedStatement, b: PairedStatement): string | null {
  if (a.type !== b.type || a.type === 'procedural') return null;
  const [first, second] = [a.content, b.content].toSorted((x, y) => y.length - x.length || (x < y ? -1 : 1));
  return findContaining(first!, second!);
}
