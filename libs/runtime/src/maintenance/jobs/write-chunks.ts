import { type DueMemory, isTransientDatabaseError } from '@annals/storage';

/** Memories of one user that are written in one transaction. */
export interface MemoryChunk {
  readonly tenantId: string;
  readonly userId: string;
  readonly memoryIds: readonly string[];
}

const WRITE_BATCH_SIZE = 100;

/** Groups memories into chunks of one user each. */
export function groupByUser(due: readonly DueMemory[], maxPerChunk = WRITE_BATCH_SIZE): MemoryChunk[] {
  const users = Map.groupBy(due, ({ tenantId, userId }) => `${tenantId} ${userId}`);
  return [...users.values()].flatMap((memories) => {
    const { tenantId, userId } = memories[0]!;
    const ids = memories.map(({ memoryId }) => memoryId);
    return Array.from({ length: Math.ceil(ids.length / maxPerChunk) }, (_, index) => ({
      tenantId,
      userId,
      memoryIds: ids.slice(index * maxPerChunk, (index + 1) * maxPerChunk),
    }));
  });
}

export interface ChunkWriteResult {
  readonly done: number;
  /** False when the time was over before the last chunk. */
  readonly isComplete: boolean;
  /** The first error of a chunk. The other chunks were written. */
  readonly problem?: unknown;
}

/**
 * Writes chunks one after another while time is left. A failing chunk does not stop the others, or a single broken row
 * would stop the work for all users; an outage ends the run.
 */
export async function writeChunks(
  chunks: readonly MemoryChunk[],
  shouldContinue: () => boolean,
  write: (chunk: MemoryChunk) => Promise<number>,
): Promise<ChunkWriteResult> {
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
