import type { LangGraphBatchSaved } from '@annals/sdk';

/** The checkpoint that something is saved of, and for whom; without a user for whosever its thread is. */
interface Place {
  readonly user: string | undefined;
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
}

/** A checkpoint without its state. */
export interface CheckpointHead extends Place {
  readonly parentId: string | undefined;
  /** What filters look at. */
  readonly metadata: Record<string, unknown>;
  readonly replayedChannels: readonly string[];
}

/** A checkpoint of a namespace whose last state is known. */
export interface StateToSave extends CheckpointHead {
  /** The version of the last state of the namespace. */
  readonly base: string;
  /** Whether the body is the state in UTF-8; else it is the delta to the base. */
  readonly isWhole: boolean;
  readonly body: Buffer;
  /** Of the state. */
  readonly bytes: number;
}

interface WriteToSave {
  readonly idx: number;
  readonly channel: string;
  readonly type: string;
  readonly value: string;
}

/** What a task has written behind a checkpoint. */
export interface WritesToSave extends Place {
  readonly taskId: string;
  readonly taskPath: string;
  readonly writes: readonly WriteToSave[];
}

export type Saved = NonNullable<LangGraphBatchSaved['checkpoints'][number]>;

/** By the place of each in the batch. */
export interface SavedBatch {
  /** Null for one that was not saved: the base is not the last state any more, or its state has to be sent whole. */
  readonly checkpoints: readonly (Saved | null)[];
  /** False for those whose thread or namespace does not exist yet. */
  readonly writes: readonly boolean[];
}

/** Saves up to 100 checkpoints and as many tasks at once, each or not. Rejects when it is not known what was saved. */
export interface BatchSaver {
  /** Whether it saves whole states; else there are deltas alone. */
  readonly takesWhole: boolean;
  save(states: readonly StateToSave[], writes: readonly WritesToSave[]): Promise<SavedBatch>;
}

/** What was saved of a batch that was refused as one: nothing. */
export function savedNothing(states: readonly StateToSave[], writes: readonly WritesToSave[]): SavedBatch {
  return { checkpoints: states.map(() => null), writes: writes.map(() => false) };
}

/** A place as requests have it. */
export function toPlaceBody({ user, threadId, checkpointNs, checkpointId }: Place) {
  return {
    ...(user === undefined ? {} : { user_id: user }),
    thread_id: threadId,
    checkpoint_ns: checkpointNs,
    checkpoint_id: checkpointId,
  };
}

/** A checkpoint without its state, as requests have it. */
export function toHeadBody({ parentId, metadata, replayedChannels, ...place }: CheckpointHead) {
  return {
    ...toPlaceBody(place),
    ...(parentId === undefined ? {} : { parent_id: parentId }),
    ...(replayedChannels.length > 0 ? { replayed_channels: [...replayedChannels] } : {}),
    metadata,
  };
}
