import type { JsonValue } from '@annals/domain';
import type { DueMemory, ScanPosition } from '@annals/storage';
import { type MaintenanceProgress, type MaintenanceRun, startTimeBudget } from '../maintenance-job.js';
import { groupByUser, type MemoryChunk, writeChunks } from './write-chunks.js';

export interface MemoryWalk<Position extends ScanPosition> {
  readonly start: Position;
  /** Returns what is due after a position, and the position to continue from; null at the end. */
  readonly find: (after: Position) => Promise<{ readonly due: DueMemory[]; readonly position: Position | null }>;
  /** Writes one chunk and returns how many memories it changed. */
  readonly write: (chunk: MemoryChunk) => Promise<number>;
}

/**
 * Writes what is due, step by step while time is left. A written memory is not found again, so a walk may resume from
 * any earlier position: the cursor is the position of the last step that was completely written.
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

/** The cursor of a job for a position. */
export function toWalkCursor(position: ScanPosition): JsonValue {
  return { ...position };
}

/** The position that `toWalkCursor` stored, or the start of the walk. */
export function parseWalkCursor<Position extends ScanPosition>(cursor: JsonValue | null, start: Position): Position {
  return cursor === null ? start : (cursor as unknown as Position);
}
