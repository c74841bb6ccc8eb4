import type { JsonValue } from '@annals/domain';
import type { DueMemory, ScanPosition } from '@annals/storage';
import { type MaintenanceProgress, type MaintenanceRun, startTimeBudget } from '../maintenance-job.js';
import { groupByUser, type MemoryChunk, writeChunks } from './write-chunks.js';

export interface MemoryWalk<Position extends ScanPosition> {
  readonly start: Position;
  /** What is due behind a position, and where the walk goes on; null at its end. */
  readonly find: (after: Position) => Promise<{ readonly due: DueMemory[]; readonly position: Position | null }>;
  /** Writes one portion and answers how many memories it changed. */
  readonly write: (chunk: MemoryChunk) => Promise<number>;
}

/**
 * Writes what is due, step by step as long as there is time. What is written is not found again, so a walk may go on from
 * anywhere before: the cursor is that of the last step that was written to its end.
 */
export async function walkMemories<Position extends ScanPosition>(
  run: MaintenanceRun,
  { start, find, write }: MemoryWalk<Position>,
): Promise<MaintenanceProgress> {
  const shouldContinue = startTimeBudget(run);
  let position: Position | null = parseWalkCursor(run.cursor, start);
  let done = 0;
  let problem: unknown;
  while (position !== null && shouldContinue()) {
    const found = await find(position);
    const written = await writeChunks(groupByUser(found.due), shouldContinue, write);
    done += written.done;
    problem ??= written.problem;
    if (!written.isComplete) break;
    position = found.position;
  }
  return { done, cursor: position && toWalkCursor(position), problem };
}

/** A position as a job's cursor keeps it. */
export function toWalkCursor(position: ScanPosition): JsonValue {
  return { ...position };
}

/** The position that `toWalkCursor` kept, or where the walk begins. */
export function parseWalkCursor<Position extends ScanPosition>(cursor: JsonValue | null, start: Position): Position {
  return cursor === null ? start : (cursor as unknown as Position);
}
