import type { LangGraphCheckpointSaved } from '@annals/contracts';
import { MAX_DELTAS, MIN_DELTA_BYTES } from '@annals/domain';
import { checkDelta, MAX_DELTA_RUNS } from '@annals/state-delta';
import type { Database } from '../database/database.js';
import type { LockedNamespace } from './namespaces.js';
import { describeSaved } from './describe-saved.js';
import type { NamedVersion } from './version.js';
import { packSmall } from './pack-small.js';

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

/** The base is the last state, and `shouldStoreSnapshot` says no: else the caller sends the state whole. */
const SAVE_DELTAS_SQL = `
  WITH input AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::uuid[], $5::integer[], $6::integer[], $7::integer[], $8::text[],
                         $9::text[], $10::jsonb[], $11::jsonb[], $12::bytea[], $14::text[])
      WITH ORDINALITY AS i (thread_id, checkpoint_ns, base_key, base_seq, base_bytes, bytes, checkpoint_id, parent_id,
                            metadata, channels, body, user_id, place)
  ), locked AS (
    -- In one order, so that two batches with the same namespaces do not wait for each other.
    SELECT n.namespace_key, i.place FROM input i
      JOIN langgraph_namespaces n ON n.namespace_key = i.base_key AND n.checkpoint_ns = i.checkpoint_ns
      JOIN langgraph_threads t ON t.tenant_id = n.tenant_id AND t.thread_key = n.thread_key AND t.thread_id = i.thread_id
       AND ($1::text IS NULL OR t.user_id = $1) AND (i.user_id IS NULL OR t.user_id = i.user_id)
     ORDER BY n.namespace_key, i.place FOR UPDATE OF n
  ), head AS (
    UPDATE langgraph_namespaces n
       SET seq = n.seq + 1, delta_bytes = n.delta_bytes + octet_length(i.body), bytes = i.bytes, updated_at = $13
      FROM (SELECT DISTINCT ON (l.namespace_key) l.namespace_key, g.* FROM locked l JOIN input g USING (place)
             ORDER BY l.namespace_key, l.place) i
     WHERE n.namespace_key = i.namespace_key AND n.seq = i.base_seq AND n.bytes = i.base_bytes
       AND n.seq - n.whole_seq < ${MAX_DELTAS}
       AND n.delta_bytes + octet_length(i.body) <= greatest(n.whole_bytes, ${MIN_DELTA_BYTES})
       AND NOT EXISTS (SELECT FROM langgraph_checkpoints c
                        WHERE c.namespace_key = n.namespace_key AND c.checkpoint_id = i.checkpoint_id)
    RETURNING i.place, n.namespace_key, n.seq, n.whole_seq, n.whole_bytes, n.delta_bytes, n.bytes
  ), stored AS (
    INSERT INTO langgraph_checkpoints (namespace_key, seq, whole_seq, checkpoint_id, parent_id, metadata,
                                       replayed_channels, bytes, body, saved_at)
    SELECT h.namespace_key, h.seq, h.whole_seq, i.checkpoint_id, i.parent_id, i.metadata,
           CASE WHEN jsonb_array_length(i.channels) > 0
                THEN ARRAY (SELECT jsonb_array_elements_text(i.channels)) END, i.bytes, i.body, $13
      FROM head h JOIN input i USING (place)
  )
  SELECT * FROM head`;

const SAVE_WRITES_SQL = `
  WITH input AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[],
                         $9::text[], $10::text[], $11::bytea[], $12::text[])
      AS i (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, place, idx, channel, type, body, user_id)
  ), tasks AS (
    SELECT DISTINCT thread_id, checkpoint_ns, user_id FROM input
  ), held AS (
    -- Who deletes a namespace waits for the lock on it.
    SELECT n.namespace_key, g.thread_id, g.checkpoint_ns, g.user_id FROM tasks g
      JOIN langgraph_threads t ON t.thread_id = g.thread_id AND ($1::text IS NULL OR t.user_id = $1)
       AND (g.user_id IS NULL OR t.user_id = g.user_id)
      JOIN langgraph_namespaces n ON n.tenant_id = t.tenant_id AND n.thread_key = t.thread_key
       AND n.checkpoint_ns = g.checkpoint_ns
     ORDER BY n.namespace_key FOR KEY SHARE OF n
  ), written AS (
    INSERT INTO langgraph_writes AS w (namespace_key, checkpoint_id, task_id, task_path, idx, channel, type, body)
    SELECT h.namespace_key, i.checkpoint_id, i.task_id, i.task_path, i.idx, i.channel, i.type, i.body
      FROM held h JOIN input i ON (i.thread_id, i.checkpoint_ns) = (h.thread_id, h.checkpoint_ns)
       AND i.user_id IS NOT DISTINCT FROM h.user_id
     WHERE i.idx IS NOT NULL
    ON CONFLICT (tenant_id, namespace_key, checkpoint_id, task_id, idx) DO UPDATE
       SET channel = excluded.channel, type = excluded.type, body = excluded.body, task_path = excluded.task_path
     WHERE excluded.idx < 0
  )
  SELECT DISTINCT i.place FROM held h
    JOIN input i ON (i.thread_id, i.checkpoint_ns) = (h.thread_id, h.checkpoint_ns)
     AND i.user_id IS NOT DISTINCT FROM h.user_id`;

type HeadRow = LockedNamespace & { place: string };

/**
 * Saves checkpoints and writes of several threads in one round trip, each or not: those that are not saved are told, and
 * leave the others as they are. Throws a RefusedDeltaError for a delta that does not fit its base; nothing is saved then.
 */
export async function saveLangGraphBatch(
  database: Database,
  tenantId: string,
  { checkpoints, writes, userId, maxBytes, now }: LangGraphBatch,
): Promise<SavedBatch> {
  const packed = checkpoints.map((checkpoint, place) => {
    const { base, delta } = checkpoint;
    return { ...checkpoint, bytes: lengthAfter(place, base, delta, maxBytes), body: packSmall(delta) };
  });
  const rows = writes.flatMap((task, place) => rowsOfTask(task, place));
  const { heads, places } = await database.inTenant(tenantId, async (tx) => {
    const savingDeltas =
      packed.length === 0
        ? Promise.resolve([])
        : tx.query<HeadRow>(SAVE_DELTAS_SQL, [
            userId ?? null,
            packed.map(({ threadId }) => threadId),
            packed.map(({ checkpointNs }) => checkpointNs),
            packed.map(({ base }) => base.namespaceKey),
            packed.map(({ base }) => base.seq),
            packed.map(({ base }) => base.bytes),
            packed.map(({ bytes }) => bytes),
            packed.map(({ checkpointId }) => checkpointId),
            packed.map(({ parentId }) => parentId),
            packed.map(({ metadata }) => JSON.stringify(metadata)),
            packed.map(({ replayedChannels }) => JSON.stringify(replayedChannels)),
            packed.map(({ body }) => body),
            new Date(now),
            packed.map((item) => item.userId ?? null),
          ]);
    const savingWrites =
      rows.length === 0
        ? Promise.resolve([])
        : tx.query<{ place: number }>(SAVE_WRITES_SQL, [
            userId ?? null,
            rows.map(({ task }) => task.threadId),
            rows.map(({ task }) => task.checkpointNs),
            rows.map(({ task }) => task.checkpointId),
            rows.map(({ task }) => task.taskId),
            rows.map(({ task }) => task.taskPath),
            rows.map(({ place }) => place),
            rows.map(({ write }) => write?.idx ?? null),
            rows.map(({ write }) => write?.channel ?? null),
            rows.map(({ write }) => write?.type ?? null),
            rows.map(({ write }) => write && packSmall(Buffer.from(write.value, 'utf8'))),
            rows.map(({ task }) => task.userId ?? null),
          ]);
    // With the end of the transaction, so that the whole takes one round trip.
    tx.atCommit(savingDeltas, savingWrites);
    return { heads: savingDeltas, places: savingWrites };
  });
  const headOf = new Map((await heads).map((row) => [Number(row.place) - 1, row]));
  const written = new Set((await places).map(({ place }) => place));
  return {
    checkpoints: checkpoints.map((_, place) => {
      const head = headOf.get(place);
      return head ? describeSaved(head) : null;
    }),
    writes: writes.map((_, place) => written.has(place)),
  };
}

/** Length of the state that a delta makes. */
function lengthAfter(place: number, base: NamedVersion, delta: Buffer, maxBytes: number): number {
  try {
    return checkDelta(delta, { baseBytes: base.bytes, maxBytes, maxRuns: MAX_DELTA_RUNS });
  } catch (error) {
    throw error instanceof RangeError ? new RefusedDeltaError(place, error) : error;
  }
}

interface TaskRow {
  readonly task: WritesOfBatch;
  readonly place: number;
  readonly write: WriteToSave | null;
}

/** A row for each write, the last one under an index; one without a write for a task that has written nothing. */
function rowsOfTask(task: WritesOfBatch, place: number): TaskRow[] {
  const writes = [...new Map(task.writes.map((write) => [write.idx, write])).values()];
  if (writes.length === 0) return [{ task, place, write: null }];
  return writes.map((write) => ({ task, place, write }));
}
