/** A checkpoint of LangGraph as far as retention needs it. */
export interface RetainableCheckpoint {
  readonly checkpointId: string;
  readonly parentId: string | null;
  /** Channels whose value is made from the writes of ancestors, back to one that has it. */
  readonly replayedChannels: readonly string[];
}

/**
 * The checkpoints that must stay so that those that are wanted can be read: these, and the ancestors from whose writes a
 * channel of theirs is made, back to the one that holds its value. Without those the channel would be empty, and nothing
 * would say so.
 */
export function findRetainedCheckpoints<Checkpoint extends RetainableCheckpoint>(
  checkpoints: readonly Checkpoint[],
  isWanted: (checkpoint: Checkpoint) => boolean,
): ReadonlySet<string> {
  const byId = new Map(checkpoints.map((checkpoint) => [checkpoint.checkpointId, checkpoint]));
  // What is needed of the parent of each: channels that are looked for further up.
  const needed = new Map<string, Set<string>>();
  const retained = new Set<string>();
  const queue: (readonly [Checkpoint, channels: readonly string[]])[] = checkpoints
    .filter(isWanted)
    .map((checkpoint) => [checkpoint, checkpoint.replayedChannels]);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [checkpoint, channels] = next;
    retained.add(checkpoint.checkpointId);
    const parent = checkpoint.parentId === null ? undefined : byId.get(checkpoint.parentId);
    if (!parent) continue;
    const known = needed.get(parent.checkpointId) ?? new Set();
    const missing = channels.filter((channel) => !known.has(channel));
    if (missing.length === 0) continue;
    needed.set(parent.checkpointId, new Set([...known, ...missing]));
    const replayed = new Set(parent.replayedChannels);
    queue.push([parent, missing.filter((channel) => replayed.has(channel))]);
  }
  return retained;
}
