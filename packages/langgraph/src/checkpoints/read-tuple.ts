import type { LangGraphCheckpoint, LangGraphWrite } from '@annals/sdk';
import {
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  maxChannelVersion,
  type SerializerProtocol,
  TASKS,
} from '@langchain/langgraph-checkpoint';
import { configOf } from './read-config.js';
import type { StoredState } from './state-text.js';
import { deserialize } from './typed-text.js';

/** Checkpoints of this version and later have the tasks that were sent as a channel of their own. */
const FIRST_VERSION_WITH_TASKS = 4;

export interface StoredTuple {
  readonly stored: LangGraphCheckpoint;
  readonly state: StoredState;
  /** The thread as the caller names it: a server that stores personal ids as hashes answers with the hash. */
  readonly threadId: string;
}

/** Whether the tasks that the parent's writes have sent must be added to a checkpoint of an old version. */
export function needsSentTasks({ stored, state }: StoredTuple): boolean {
  return state.checkpoint.v < FIRST_VERSION_WITH_TASKS && stored.parent_id !== null;
}

/** `parentWrites`: only for a checkpoint that needs the tasks that they have sent. */
export async function readTuple(
  serde: SerializerProtocol,
  { stored, state, threadId }: StoredTuple,
  parentWrites: readonly LangGraphWrite[] = [],
): Promise<CheckpointTuple> {
  const [metadata, values, pendingWrites, sent] = await Promise.all([
    deserialize(serde, state.metadata) as Promise<CheckpointMetadata>,
    Promise.all(Array.from(state.channels, async ([name, value]) => [name, await deserialize(serde, value)] as const)),
    readWrites(serde, stored.writes),
    readWrites(
      serde,
      parentWrites.filter(({ channel }) => channel === TASKS),
    ),
  ]);
  const stateWithValues = {
    ...state.checkpoint,
    channel_values: Object.fromEntries(values) as Record<string, unknown>,
  };
  // Copied, since the state is remembered.
  const checkpoint = { ...stateWithValues, ...copyCheckpoint(stateWithValues) };
  if (sent.length > 0) {
    checkpoint.channel_values[TASKS] = sent.map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions = {
      ...checkpoint.channel_versions,
      [TASKS]: versions.length > 0 ? maxChannelVersion(...versions) : 1,
    };
  }
  const { checkpoint_ns: ns, checkpoint_id: id, parent_id: parentId } = stored;
  return {
    config: configOf(threadId, ns, id),
    checkpoint,
    metadata,
    ...(parentId === null ? {} : { parentConfig: configOf(threadId, ns, parentId) }),
    pendingWrites,
  };
}

/** In the order of the server: task_path, task_id, idx by code point, as LangGraph applies them. */
export function readWrites(
  serde: SerializerProtocol,
  writes: readonly LangGraphWrite[],
): Promise<CheckpointPendingWrite[]> {
  return Promise.all(
    writes.map(async ({ task_id: taskId, channel, type, value }): Promise<CheckpointPendingWrite> => [
      taskId,
      channel,
      await deserialize(serde, { type, text: value }),
    ]),
  );
}
