import type { LangGraphCheckpointSaved } from '@annals/contracts';
import { checkDelta, MAX_DELTA_RUNS, packSmall } from '@annals/state-delta';
import type { Database } from '../database/database.js';
import type { NamedVersion } from './version.js';

/** The thread of an item, and for whom it is sent; undefined for whosever it is. */
interface PlaceOfBatch {
  readonly userId: string | undefined;
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
}

/** A checkpoint as a delta to the last state of its namespace. */
interface DeltaOfBatch extends PlaceOfBatch {
  readonly parentId: string | null;
  /** What jsonb can hold of it. */
  readonly metadata: object;
  readonly replayedChannels: readonly string[];
  readonly base: NamedVersion;
  readonly delta: Buffer;
}

interface WriteToSave {
  readonly idx: number;
  readonly channel: string;
  readonly type: string;
  readonly value: string;
}

/** What a task has written behind a checkpoint. */
export interface WritesOfBatch extends PlaceOfBatch {
  readonly taskId: string;
  readonly taskPath: string;
  readonly writes: readonly WriteToSave[];
}

export interface LangGraphBatch {
  readonly checkpoints: readonly DeltaOfBatch[];
  readonly writes: readonly WritesOfBatch[];
  /** Only threads of this user. */
  readonly userId: string | undefined;
  /** Of a state. */
  readonly maxBytes: number;
  /** Epoch ms. */
  readonly now: number;
}

export interface SavedBatch {
  /** Null for one that was not saved: its base is not the last state any more, or it has to be stored whole. */
  readonly checkpoints: readonly (LangGraphCheckpointSaved | null)[];
  /** False for a task whose thread or namespace does not exist yet. */
  readonly writes: readonly boolean[];
}

/** A delta that does not fit its base, or is beyond a limit. */
export class RefusedDeltaError extends RangeError {
  constructor(
    /** Its place among the checkpoints of the batch. */
    readonly place: number,
    cause: RangeError,
  ) {
    super(cause.message, { cause });
    this.name = 'RefusedDeltaError';
  }
}

/**
 * Saves checkpoints and writes of several threads in one statement, each or not: those that are not saved are told, and
 * leave the others as they are. Throws a RefusedDeltaError for a delta that does not fit its base; nothing is saved then.
 */
export async function saveLangGraphBatch(
  database: Database,
  tenantId: string,
  { checkpoints, writes, userId, maxBytes, now }: LangGraphBatch,
): Promise<SavedBatch> {
  const parameters = [
    tenantId,
    userId ?? null,
    JSON.stringify(checkpoints.map((checkpoint, place) => renderDelta(checkpoint, place, maxBytes))),
    JSON.stringify(writes.map(renderWrites)),
    new Date(now),
  ];
  const { saving } = await database.inTenant(tenantId, async (tx) => {
    const rows = tx.query<{ saved: SavedBatch }>(
      'SELECT save_langgraph_batch($1, $2, $3, $4, $5) AS saved',
      parameters,
    );
    // With the end of the transaction, so that the whole takes one round trip.
    tx.atCommit(rows);
    return { saving: rows };
  });
  return (await saving)[0]!.saved;
}

function renderDelta({ base, delta, ...checkpoint }: DeltaOfBatch, place: number, maxBytes: number): object {
  return {
    ...renderPlace(checkpoint),
    base_key: base.namespaceKey,
    base_seq: base.seq,
    base_bytes: base.bytes,
    is_whole: false,
    bytes: lengthAfter(place, base, delta, maxBytes),
    parent_id: checkpoint.parentId,
    metadata: checkpoint.metadata,
    replayed_channels: checkpoint.replayedChannels,
    body: packSmall(delta).toString('base64'),
  };
}

function renderWrites(task: WritesOfBatch): object {
  const writes = task.writes.map(({ value, ...write }) => ({
    ...write,
    body: packSmall(Buffer.from(value, 'utf8')).toString('base64'),
  }));
  return { ...renderPlace(task), task_id: task.taskId, task_path: task.taskPath, writes };
}

function renderPlace({ userId, threadId, checkpointNs, checkpointId }: PlaceOfBatch): object {
  return { user_id: userId, thread_id: threadId, checkpoint_ns: checkpointNs, checkpoint_id: checkpointId };
}

/** Length of the state that a delta makes. */
function lengthAfter(place: number, base: NamedVersion, delta: Buffer, maxBytes: number): number {
  try {
    return checkDelta(delta, { baseBytes: base.bytes, maxBytes, maxRuns: MAX_DELTA_RUNS });
  } catch (error) {
    throw error instanceof RangeError ? new RefusedDeltaError(place, error) : error;
  }
}
