import type { JsonValue } from '@annals/domain';
import { type DueMemory, isTransientDatabaseError, type ScanPosition } from '@annals/storage';
import { type MaintenanceProgress, type MaintenanceRun, startTimeBudget } from '../maintenance-job.js';

interface MemoryWalk<Position extends ScanPosition> {
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
function toWalkCursor(position: ScanPosition): JsonValue {
  return { ...position };
}

/** The position that `toWalkCursor` stored, or the start of the walk. */
function parseWalkCursor<Position extends ScanPosition>(cursor: JsonValue | null, start: Position): Position {
  return cursor === null ? start : (cursor as unknown as Position);
}

/** Memories of one user that are written in one transaction. */
export interface MemoryChunk {
  readonly tenantId: string;
  readonly userId: string;
  readonly memoryIds: readonly string[];
}

const WRITE_BATCH_SIZE = 100;

/** Groups memories into chunks of one user each. */
function groupByUser(due: readonly DueMemory[]): MemoryChunk[] {
  const users = Map.groupBy(due, ({ tenantId, userId }) => `${tenantId} ${userId}`);
  return [...users.values()].flatMap((memories) => {
    const { tenantId, userId } = memories[0]!;
    const ids = memories.map(({ memoryId }) => memoryId);
    return Array.from({ length: Math.ceil(ids.length / WRITE_BATCH_SIZE) }, (_, index) => ({
      tenantId,
      userId,
      memoryIds: ids.slice(index * WRITE_BATCH_SIZE, (index + 1) * WRITE_BATCH_SIZE),
    }));
  });
}

/**
 * Writes chunks one after another while time is left. A failing chunk does not stop the others, or a single broken row
 * would stop the work for all users; an outage ends the run. `problem` is the first error, and `isComplete` is false when
 * the time was over before the last chunk.
 */
async function writeChunks(
  chunks: readonly MemoryChunk[],
  shouldContinue: () => boolean,
  write: (chunk: MemoryChunk) => Promise<number>,
) {
  let done = 0;
  let problem: unknown;
  for (const chunk of chunks) {
    if (!shouldContinue()) return { done, isComplete: false, problem };
    try {
      done += await write(chunk);
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      problem ??= error;
    }
  }
  return { done, isComplete: true, problem };
}
