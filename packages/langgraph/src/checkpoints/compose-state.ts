import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  copyCheckpoint,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import type { StoredState } from './state-text.js';
import { serialize, type TypedText } from './typed-text.js';

export interface NewCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly newVersions: ChannelVersions;
  /** Whether the configuration named a checkpoint before this one. */
  readonly hasParent: boolean;
}

const has = (object: object, name: string) => Object.hasOwn(object, name);

/**
 * Whether some channel of the checkpoint neither is new nor has a value here, so that its value has to be taken from the
 * parent, which then must be known.
 */
export function needsParent({ checkpoint, newVersions, hasParent }: NewCheckpoint): boolean {
  if (!hasParent) return false;
  const { channel_versions: versions, channel_values: values } = checkpoint;
  return Object.keys(versions).some((name) => !has(newVersions, name) && !has(values, name));
}

/**
 * The checkpoint as it is stored. The value of a channel is, in this order: what `newVersions` says is new; what the
 * parent stored for the same version, whichever branch it is on; what the checkpoint has. The last is for copies of a
 * checkpoint (`source: 'fork'`) and for parents that are not known here.
 */
export async function composeState(
  serde: SerializerProtocol,
  input: NewCheckpoint,
  parent: StoredState | undefined,
): Promise<StoredState> {
  // Copied, since the caller may go on with it while it is remembered here.
  const copy = { ...input.checkpoint, ...copyCheckpoint(input.checkpoint) };
  const { channel_values: values, ...checkpoint } = copy;
  const takesValues = input.hasParent || input.metadata.source === 'fork';
  const parts = Object.entries(checkpoint.channel_versions).map(
    async ([name, version]): Promise<[string, TypedText] | null> => {
      const isNew = has(input.newVersions, name);
      const inherited = isNew ? undefined : valueOf(parent, name, version);
      if (inherited) return [name, inherited];
      if (!has(values, name) || !(isNew || takesValues)) return null;
      return [name, await serialize(serde, values[name])];
    },
  );
  const [metadata, channels] = await Promise.all([serialize(serde, input.metadata), Promise.all(parts)]);
  const found = channels.filter((channel) => channel !== null);
  return { checkpoint, metadata, channels: new Map(inOrderOf(parent, found)) };
}

/** The value that a state has of a channel, if it is of this version. */
function valueOf(state: StoredState | undefined, name: string, version: number | string): TypedText | undefined {
  const { channel_versions: versions = {} } = state?.checkpoint ?? {};
  return has(versions, name) && versions[name] === version ? state!.channels.get(name) : undefined;
}

/** Channels in the order that the parent has, so that its bytes are found again. */
function inOrderOf(parent: StoredState | undefined, channels: [string, TypedText][]): [string, TypedText][] {
  if (!parent) return channels;
  const places = new Map(Array.from(parent.channels.keys(), (name, place) => [name, place]));
  const placeOf = ([name]: [string, TypedText]) => places.get(name) ?? Number.MAX_SAFE_INTEGER;
  return channels.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Channels whose value LangGraph makes from the writes of ancestors (its DeltaChannel): those that count since their last
 * snapshot and have no value in the state. The ancestors of such a checkpoint are retained.
 */
export function replayedChannels(metadata: CheckpointMetadata, { channels }: StoredState): string[] {
  return Object.keys(metadata.counters_since_delta_snapshot ?? {}).filter((name) => !channels.has(name));
}
