import type { Annals } from '@annals/sdk';
import { type CheckpointHead, type Saved, toHeadBody } from './batch.js';
import { planDelta } from './plan-delta.js';
import type { SaveQueue } from './save-queue.js';
import type { CachedState } from './state-cache.js';

interface Ways {
  readonly queue: SaveQueue;
  readonly annals: Pick<Annals, 'langgraph'>;
}

/**
 * Saves a state: behind the last one of its namespace if that is known, else whole by its own route. `text` is the state,
 * `bytes` the same in UTF-8.
 */
export async function saveState(
  { queue, annals }: Ways,
  last: CachedState | undefined,
  head: CheckpointHead,
  { text, bytes }: { readonly text: string; readonly bytes: Buffer },
): Promise<Saved> {
  const saved = last && (await saveBehind(queue, last, head, bytes));
  if (saved) return saved;
  const { thread_id: threadId, checkpoint_id: checkpointId, checkpoint_ns: ns, ...body } = toHeadBody(head);
  return annals.langgraph.threads.putCheckpoint(
    threadId,
    checkpointId,
    { ...body, state: text },
    { checkpoint_ns: ns },
  );
}

/** Null when it was not saved. */
async function saveBehind(
  queue: SaveQueue,
  last: CachedState,
  head: CheckpointHead,
  bytes: Buffer,
): Promise<Saved | null> {
  const item = { ...head, base: last.version, bytes: bytes.length };
  const delta = planDelta(last, bytes);
  const saved = delta && (await queue.saveState({ ...item, isWhole: false, body: delta }));
  if (saved || !queue.takesWhole) return saved;
  return queue.saveState({ ...item, isWhole: true, body: bytes });
}
