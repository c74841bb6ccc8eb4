import { type DueMemory, isTransientDatabaseError } from '@annals/storage';

/** Memories of one user: what one transaction writes. */
export interface MemoryChunk {
  readonly tenantId: string;
  readonly userId: string;
  readonly memoryIds: readonly string[];
}

const WRITE_BATCH_SIZE = 100;

/** Memories in portions of one user each. */
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
  /** False when the time was over before the last one. */
  readonly isComplete: boolean;
  /** What went wrong with one of them, the first time. The others were written. */
  readonly problem?: unknown;
}

/**
 * Writes portions one after the other as long as there is time. One that fails keeps none of the others waiting, or a
 * single broken row would end the work for everybody; an outage ends the run.
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
