import type { ImportedMemory } from '@annals/sdk';
import { chunkBySize } from './chunk-by-size.js';

/** Of one memory in a request: the server takes 100 of each. */
const MAX_FORMER_ENDS = 100;
const REFERENCES = { items: 100, bytes: 400_000 };

/** A memory as it is sent: once, and again with each part of what else it rests on and is related to. */
export interface DividedMemory {
  readonly parts: readonly ImportedMemory[];
  /** Oldest former ends, beyond those that can be sent. */
  readonly leftOutEnds: number;
}

/** Divides a memory with more sources or relations than a request takes; the newest former ends are kept. */
export function divideMemory(memory: ImportedMemory): DividedMemory {
  const sources = chunkBySize(memory.sources ?? [], REFERENCES);
  const relations = chunkBySize(memory.relations ?? [], REFERENCES);
  const ends = memory.former_ends ?? [];
  const count = Math.max(1, sources.length, relations.length);
  const parts = Array.from({ length: count }, (_, index): ImportedMemory => ({
    ...memory,
    ...(ends.length > MAX_FORMER_ENDS ? { former_ends: keepNewest(ends) } : {}),
    // What was extracted is only taken with a source.
    ...(memory.sources ? { sources: sources[index] ?? sources[0] ?? [] } : {}),
    ...(memory.relations ? { relations: relations[index] ?? [] } : {}),
  }));
  return { parts, leftOutEnds: Math.max(0, ends.length - MAX_FORMER_ENDS) };
}

type FormerEnds = NonNullable<ImportedMemory['former_ends']>;

const keepNewest = (ends: FormerEnds): FormerEnds =>
  ends.toSorted((a, b) => a.since.localeCompare(b.since)).slice(-MAX_FORMER_ENDS);
