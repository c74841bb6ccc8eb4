import type { LangGraphCheckpointSaved } from '@annals/contracts';
import { shouldStoreSnapshot } from '@annals/domain';
import { packSmall } from '@annals/state-delta';
import { planDelta } from '../checkpoints/plan-delta.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import {
  type Creation,
  ensureNamespace,
  type LockedNamespace,
  lockNamespace,
  type NamespaceName,
} from './namespaces.js';
import { describeSaved, statisticsOf } from './describe-saved.js';
import type { NamedVersion } from './version.js';
import { saveLangGraphBatch } from './save-langgraph-batch.js';
import { hideCheckpoints, readState } from './stored-states.js';

/** A checkpoint to save, without its state. */
export interface CheckpointHead extends NamespaceName {
  readonly checkpointId: string;
  readonly parentId: string | null;
  /** What jsonb can hold of it. */
  readonly metadata: object;
  readonly replayedChannels: readonly string[];
  /** Epoch ms. */
  readonly now: number;
}

export interface DeltaToSave {
  readonly base: NamedVersion;
  readonly delta: Buffer;
  /** Of the state that it makes. */
  readonly maxBytes: number;
}

/**
 * Saves a checkpoint as a delta to the last state of its namespace, in one round trip and without reading that state.
 * Null when the delta's base is not the last state any more, when the checkpoint exists, or when the state should be
 * stored whole: the caller then sends it whole. Throws a RefusedDeltaError for a delta that does not fit its base.
 */
export async function saveCheckpointDelta(
  database: Database,
  tenantId: string,
  head: CheckpointHead,
  { maxBytes, ...delta }: DeltaToSave,
): Promise<LangGraphCheckpointSaved | null> {
  const checkpoints = [{ ...head, ...delta }];
  const batch = { checkpoints, writes: [], userId: head.userId, maxBytes, now: head.now };
  const saved = await saveLangGraphBatch(database, tenantId, batch);
  return saved.checkpoints[0]!;
}

/**
 * Saves a checkpoint whose state is given: as a delta to the last state of its namespace, or whole. One that exists is
 * replaced. Null when the thread belongs to another user.
 */
export async function saveCheckpointState(
  tx: Tx,
  head: CheckpointHead,
  state: Buffer,
  creation: Creation,
): Promise<LangGraphCheckpointSaved | null> {
  const namespace = await lockNamespace(tx, head);
  if (!namespace)
    return (await ensureNamespace(tx, head, creation)) ? saveCheckpointState(tx, head, state, creation) : null;
  const delta = await planDeltaToLast(tx, namespace, state);
  const body = delta ?? packSmall(state);
  const seq = namespace.seq + 1;
  const stored: LockedNamespace = {
    ...namespace,
    seq,
    whole_seq: delta ? namespace.whole_seq : seq,
    whole_bytes: delta ? namespace.whole_bytes : body.length,
    delta_bytes: delta ? namespace.delta_bytes + body.length : 0,
    bytes: state.length,
  };
  tx.atCommit(
    // Other states may stand on the one that is replaced: it keeps its place.
    hideCheckpoints(tx, stored.namespace_key, [head.checkpointId]),
    tx.execute(
      `UPDATE langgraph_namespaces
          SET seq = $2, whole_seq = $3, whole_bytes = $4, delta_bytes = $5, bytes = $6, updated_at = $7
        WHERE namespace_key = $1`,
      [
        stored.namespace_key,
        seq,
        stored.whole_seq,
        stored.whole_bytes,
        stored.delta_bytes,
        stored.bytes,
        new Date(head.now),
      ],
    ),
    tx.execute(
      `INSERT INTO langgraph_checkpoints (namespace_key, seq, whole_seq, checkpoint_id, parent_id, metadata,
                                          replayed_channels, bytes, body, saved_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        stored.namespace_key,
        seq,
        stored.whole_seq,
        head.checkpointId,
        head.parentId,
        JSON.stringify(head.metadata),
        channelsOrNull(head.replayedChannels),
        state.length,
        body,
        new Date(head.now),
      ],
    ),
  );
  return describeSaved(stored);
}

/** The state as a delta to the last one, packed; null when it should be stored whole. */
async function planDeltaToLast(tx: Tx, namespace: LockedNamespace, state: Buffer): Promise<Buffer | null> {
  const since = statisticsOf(namespace);
  if (namespace.seq === 0 || shouldStoreSnapshot(since, 0)) return null;
  const last = await readState(tx, namespace.namespace_key, namespace.whole_seq, namespace.seq);
  return planDelta(since, last, state, packSmall);
}

function channelsOrNull(channels: readonly string[]): readonly string[] | null {
  return channels.length > 0 ? channels : null;
}
