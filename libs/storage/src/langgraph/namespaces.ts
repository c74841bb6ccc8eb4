import { LANGGRAPH_USER_PREFIX } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { lockExistingUser, lockUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import type { LangGraphNamespaceEntity, LangGraphThreadEntity } from '../entities/langgraph.entity.js';

/** Where a checkpoint belongs. */
export interface NamespaceName {
  readonly threadId: string;
  /** Empty for the graph itself. */
  readonly checkpointNs: string;
  /** The user that the request is for; undefined for any. */
  readonly userId: string | undefined;
}

export interface Creation {
  /** Epoch ms. */
  readonly now: number;
  readonly ids: IdGenerator;
  /**
   * Whether a thread that has named no user may become the named user's. Not for a key that is bound to a user, which
   * would get to read what somebody else has stored.
   */
  readonly mayClaim: boolean;
}

/** Condition on the thread `t`: the one named, of the user if one is given. */
export function ofThread(thread: string, user: string): string {
  return `t.thread_id = ${thread} AND (${user}::text IS NULL OR t.user_id = ${user})`;
}

/** A namespace `n` and its thread `t`. */
export const NAMESPACE_OF_THREAD =
  'langgraph_threads t JOIN langgraph_namespaces n ON n.tenant_id = t.tenant_id AND n.thread_key = t.thread_key';

export type LockedNamespace = Pick<
  LangGraphNamespaceEntity,
  'namespace_key' | 'seq' | 'whole_seq' | 'whole_bytes' | 'delta_bytes' | 'bytes'
>;

/** Locks the namespace of a thread; undefined when there is none, or of another user. */
export async function lockNamespace(
  tx: Tx,
  { threadId, checkpointNs, userId }: NamespaceName,
): Promise<LockedNamespace | undefined> {
  const [row] = await tx.query<LockedNamespace>(
    `SELECT n.namespace_key, n.seq, n.whole_seq, n.whole_bytes, n.delta_bytes, n.bytes FROM ${NAMESPACE_OF_THREAD}
      WHERE ${ofThread('$1', '$3')} AND n.checkpoint_ns = $2 FOR UPDATE OF n`,
    [threadId, checkpointNs, userId ?? null],
  );
  return row;
}

type ThreadRow = Pick<LangGraphThreadEntity, 'thread_key' | 'user_id'>;

/**
 * Makes the thread and the namespace unless they exist, under the lock of their user, so that an erasure finds them or
 * comes before them. A thread that has named no user yet becomes the named user's. Resolves to false when the thread
 * belongs to another user.
 */
export async function ensureNamespace(tx: Tx, name: NamespaceName, creation: Creation): Promise<boolean> {
  const thread = (await findThread(tx, name.threadId)) ?? (await createThread(tx, name, creation));
  if (name.userId !== undefined && thread.user_id !== name.userId) {
    if (!creation.mayClaim || thread.user_id !== ownUserOf(name.threadId)) return false;
    await lockUser(tx, name.userId, creation.now);
    const claimed = await tx.execute(
      'UPDATE langgraph_threads SET user_id = $2 WHERE thread_key = $1 AND user_id = $3',
      [thread.thread_key, name.userId, thread.user_id],
    );
    // Another user has come first, or the thread is gone.
    if (claimed === 0) return ensureNamespace(tx, name, creation);
  } else {
    await lockExistingUser(tx, thread.user_id);
  }
  // Selected from the thread: it may have been deleted before its user was locked.
  const inserted = await tx.execute(
    `INSERT INTO langgraph_namespaces (namespace_key, thread_key, checkpoint_ns, seq, whole_seq, whole_bytes, delta_bytes,
                                       bytes, updated_at)
     SELECT $1, t.thread_key, $3, 0, 0, 0, 0, 0, $4 FROM langgraph_threads t WHERE t.thread_key = $2 FOR KEY SHARE
     ON CONFLICT (tenant_id, thread_key, checkpoint_ns) DO UPDATE SET updated_at = langgraph_namespaces.updated_at`,
    [creation.ids.next(), thread.thread_key, name.checkpointNs, new Date(creation.now)],
  );
  return inserted > 0 ? true : ensureNamespace(tx, name, creation);
}

async function findThread(tx: Tx, threadId: string): Promise<ThreadRow | undefined> {
  const [row] = await tx.query<ThreadRow>('SELECT thread_key, user_id FROM langgraph_threads WHERE thread_id = $1', [
    threadId,
  ]);
  return row;
}

async function createThread(tx: Tx, name: NamespaceName, creation: Creation): Promise<ThreadRow> {
  const { threadId, userId } = name;
  const { now, ids } = creation;
  const owner = userId ?? ownUserOf(threadId);
  await lockUser(tx, owner, now);
  await tx.execute(
    `INSERT INTO langgraph_threads (thread_key, thread_id, user_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, thread_id) DO NOTHING`,
    [ids.next(), threadId, owner, new Date(now)],
  );
  // Another statement may have made it meanwhile.
  return (await findThread(tx, threadId)) ?? createThread(tx, name, creation);
}

/** The user of a thread that names none (docs/reference/langgraph.md#threads). */
export function ownUserOf(threadId: string): string {
  return LANGGRAPH_USER_PREFIX + threadId;
}
