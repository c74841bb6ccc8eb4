import type { JsonValue } from '@annals/domain';
import { isStoreOutage } from '../../leased-job/run-leased-job.js';
import { type MaintenanceProgress, type MaintenanceRun, startTimeBudget } from '../maintenance-job.js';

/** What a job has to process, and whose it is. */
interface Due {
  readonly tenantId: string;
  readonly userId: string | null;
}

interface Walk<Position extends object, Row extends Due> {
  readonly start: Position;
  /** Returns what is due after a position, and the position to continue from; null at the end. */
  readonly find: (after: Position) => Promise<{ readonly due: Row[]; readonly position: Position | null }>;
  /** Writes one chunk and returns how many rows it changed. */
  readonly write: (chunk: Chunk<Row>) => Promise<number>;
}

/**
 * Writes what is due, step by step while time is left. What was written is not found again, so a walk may resume from
 * any earlier position: the cursor is the position of the last step that was completely written.
 */
export async function walkDue<Position extends object, Row extends Due>(
  run: MaintenanceRun,
  { start, find, write }: Walk<Position, Row>,
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
function toWalkCursor(position: object): JsonValue {
  return { ...position };
}

/** The position that `toWalkCursor` stored, or the start of the walk. */
function parseWalkCursor<Position extends object>(cursor: JsonValue | null, start: Position): Position {
  return cursor === null ? start : (cursor as unknown as Position);
}

/** What is due of one user and written in one transaction. */
export interface Chunk<Row extends Due> {
  readonly tenantId: string;
  readonly userId: Row['userId'];
  readonly due: readonly Row[];
}

const WRITE_BATCH_SIZE = 100;

/** Groups what is due into chunks of one user each. */
function groupByUser<Row extends Due>(due: readonly Row[]): Chunk<Row>[] {
  const users = Map.groupBy(due, ({ tenantId, userId }) => `${tenantId} ${userId ?? ''}`);
  return [...users.values()].flatMap((rows) => {
    const { tenantId, userId } = rows[0]!;
    return Array.from({ length: Math.ceil(rows.length / WRITE_BATCH_SIZE) }, (_, index) => ({
      tenantId,
      userId,
      due: rows.slice(index * WRITE_BATCH_SIZE, (index + 1) * WRITE_BATCH_SIZE),
    }));
  });
}

/**
 * Writes chunks one after another while time is left. A failing chunk does not stop the others, or a single broken row
 * would stop the work for all users; an outage ends the run. `problem` is the first error, and `isComplete` is false when
 * the time was over before the last chunk.
 */
async function writeChunks<Row extends Due>(
  chunks: readonly Chunk<Row>[],
  shouldContinue: () => boolean,
  write: (chunk: Chunk<Row>) => Promise<number>,
) {
  let done = 0;
  let problem: unknown;
  for (const chunk of chunks) {
    if (!shouldContinue()) return { done, isComplete: false, problem };
    try {
      done += await write(chunk);
    } catch (error) {
      if (isStoreOutage(error)) throw error;
      problem ??= error;
    }
  }
  return { done, isComplete: true, problem };
}
