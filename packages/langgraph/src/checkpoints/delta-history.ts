import type { Annals } from '@annals/sdk';
import type { CheckpointPendingWrite, DeltaChannelHistory, SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type { CheckpointRef } from './read-config.js';
import { readWrites } from './read-tuple.js';
import { decodeState } from './state-text.js';
import { deserialize } from './typed-text.js';

/** What is collected of a channel, going back from the checkpoint. */
interface Collected {
  /** Of each ancestor, the nearest first. */
  readonly steps: CheckpointPendingWrite[][];
  seed?: { readonly value: unknown };
}

/**
 * The writes to channels along the ancestors of a checkpoint, back to the nearest one with a value of the channel: what
 * `getDeltaChannelHistory` of LangGraph defines, in one request where the server knows which ancestors have no value.
 */
export async function readDeltaHistory(
  annals: Annals,
  serde: SerializerProtocol,
  { threadId, checkpointNs, checkpointId }: CheckpointRef,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const collected = new Map(channels.map((name): [string, Collected] => [name, { steps: [] }]));
  const remaining = new Set(channels);
  // A checkpoint that is its own ancestor would be followed for ever.
  const seen = new Set<string>();
  let from = checkpointId;
  while (from !== undefined && !seen.has(from) && remaining.size > 0) {
    seen.add(from);
    const { items } = await annals.langgraph.threads.history(threadId, {
      checkpoint_ns: checkpointNs,
      checkpoint_id: from,
      channels: [...remaining],
    });
    for (const item of items) {
      const writes = await readWrites(serde, item.writes);
      for (const name of remaining) {
        collected.get(name)!.steps.push(writes.filter(([, channel]) => channel === name));
      }
      const values = item.state === null ? null : decodeState(item.state).channels;
      for (const name of values ? [...remaining] : []) {
        const value = values!.get(name);
        if (!value) continue;
        collected.get(name)!.seed = { value: await deserialize(serde, value) };
        remaining.delete(name);
      }
    }
    const last = items.at(-1);
    from = last && last.parent_id !== null ? last.checkpoint_id : undefined;
  }
  return Object.fromEntries(
    Array.from(collected, ([name, { steps, seed }]) => [
      name,
      { writes: steps.toReversed().flat(), ...(seed ? { seed: seed.value } : {}) },
    ]),
  );
}
