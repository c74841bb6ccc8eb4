import { routes } from '@annals/contracts';
import { deleteAppMemory, purgeAppMemories, uninstallApp } from '../app-memories/delete-app-memories.js';
import { deleteCheckpoint } from '../checkpoints/delete-checkpoints.js';
import { editUserContext } from '../context/decide-context.js';
import { readGoals } from '../context/read-goals.js';
import type { Tx } from '../database/transaction.js';
import { deleteLangGraphThreads } from '../langgraph/langgraph-threads.js';
import { readPlaceText } from '../langgraph-store/item-place.js';
import { deleteItems, lockItems } from '../langgraph-store/write-items.js';
import { revokeApiKey } from '../keys/api-keys.js';
import { type WriteDependencies, writeMemories } from '../memories/write-memories.js';
import { eraseUser } from '../privacy/erase-user.js';
import { forgetMemories } from '../forgetting/forget-memories.js';
import { forgetMessages } from '../forgetting/forget-message.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import type { DeletionKind, ImportKind } from './deletion-kinds.js';
import type { FoundSubject } from './find-subjects.js';
import type { Deletion } from './stored-deletions.js';

/** Actor of what a replay writes into the history. */
const ACTOR = 'replay';

export interface ReplayDependencies extends WriteDependencies {
  /** The installation's audit key, which signs receipts. */
  readonly auditKey: Uint8Array;
  readonly purgeAfterMs: number;
}

type Step = (
  tx: Tx,
  deletion: Deletion,
  found: readonly FoundSubject[],
  dependencies: ReplayDependencies,
) => Promise<boolean>;

type CarriedOutKind = Exclude<DeletionKind, 'memory_restored' | 'insights_on' | ImportKind>;

/** Carries out an entry again, by the same code as the request then. Resolves to whether there was anything to delete. */
export const CARRY_OUT: Readonly<Record<CarriedOutKind, Step>> = {
  tenant: async (tx, { tenantId }) => {
    const [row] = await tx.query<{ counts: object | null }>('SELECT delete_tenant($1) AS counts', [tenantId]);
    return row!.counts !== null;
  },
  user: async (tx, _deletion, found, { auditKey: key, ...dependencies }) => {
    for (const [userId] of found) await eraseUser(tx, { userId: userId!, actor: ACTOR, key }, dependencies);
    return found.length > 0;
  },
  conversation: async (tx, { subject }, _found, dependencies) => {
    const { method, path } = routes.postConversation;
    const command = { conversationId: subject, actor: ACTOR, acceptingRoute: `${method} ${path}` };
    return (await forgetConversation(tx, command, dependencies)) !== null;
  },
  memory: deleteMemory,
  // The messages that lost its words are entries of their own.
  memory_forgotten: (tx, { subject }, _found, dependencies) =>
    forgetMemories(tx, { memoryIds: [subject], actor: ACTOR, keepsMessages: true }, dependencies),
  message: async (tx, { subject }, _found, dependencies) => {
    const [messageId, places] = subject.split(':') as [string, string?];
    const messages = [{ messageId, ...readPlaces(places) }];
    const forgotten = await forgetMessages(tx, { messages, actor: ACTOR }, dependencies);
    return forgotten.messageIds.length > 0;
  },
  app: async (tx, _deletion, found, { clock }) => {
    for (const [appId] of found) await uninstallApp(tx, appId!, clock.now());
    return found.length > 0;
  },
  app_memory: async (tx, { subject }, _found, { clock }) => {
    const rows = await tx.query('SELECT FROM app_memories WHERE id = $1', [subject]);
    if (rows.length > 0) await deleteAppMemory(tx, subject, clock.now());
    return rows.length > 0;
  },
  app_memories: purgeMemoriesOfApps,
  app_memories_of_user: purgeMemoriesOfApps,
  checkpoint: async (tx, _deletion, found, { clock }) => {
    let isThere = false;
    for (const [userId, threadId] of found) {
      const states = { userId: userId!, threadId: threadId!, expectedVersion: null, now: clock.now() };
      isThere = (await deleteCheckpoint(tx, states)).outcome === 'deleted' || isThere;
    }
    return isThere;
  },
  langgraph_thread: async (tx, _deletion, found, { clock }) => {
    const threadIds = found.map(([threadId]) => threadId!);
    await deleteLangGraphThreads(tx, { threadIds, userId: undefined, now: clock.now() });
    return found.length > 0;
  },
  langgraph_item: async (tx, _deletion, found, { clock }) => {
    let deleted = 0;
    for (const [userId, place] of found) {
      const scope = { userId: userId!, now: clock.now() };
      const places = [readPlaceText(place!)];
      await lockItems(tx, scope, { places, mayInsert: false });
      deleted += await deleteItems(tx, scope, places);
    }
    return deleted > 0;
  },
  context_field: (tx, _deletion, found, dependencies) =>
    editContexts(tx, found, dependencies, async (_userId, field) => ({ [field!]: null })),
  context_goal: (tx, _deletion, found, dependencies) =>
    editContexts(tx, found, dependencies, async (userId, goal) => ({
      goals: (await readGoals(tx, userId)).filter((value) => value !== goal),
    })),
  insights_off: (tx, _deletion, found, dependencies) =>
    editContexts(tx, found, dependencies, async () => ({ insights: 'off' })),
  api_key: async (tx, { subject }, _found, { clock }) => {
    const revoked = await revokeApiKey(tx, subject, clock.now());
    return revoked !== null && !revoked.isRepeated;
  },
};

/** `12-40,60-75:<time>`: where the sentences were that a message lost; none when it lost all. */
function readPlaces(places: string | undefined) {
  if (places === undefined) return {};
  return {
    places: places.split(',').map((place) => {
      const [start, end] = place.split('-').map(Number) as [number, number];
      return { start, end };
    }),
  };
}

async function deleteMemory(
  tx: Tx,
  { subject, deletedAt }: Deletion,
  _found: readonly FoundSubject[],
  dependencies: ReplayDependencies,
): Promise<boolean> {
  const [memory] = await tx.query<{ user_id: string }>(
    `SELECT user_id FROM memories WHERE id = $1 AND deleted_by IS DISTINCT FROM 'user'`,
    [subject],
  );
  if (!memory) return false;
  // It is purged when it would have been.
  const passedMs = dependencies.clock.now() - deletedAt;
  const purgeAfterMs = Math.max(0, dependencies.purgeAfterMs - passedMs);
  const changes = [{ kind: 'delete', memoryId: subject, by: 'user' } as const];
  const command = { userId: memory.user_id, actor: ACTOR, node: 'api', changes, existingUserOnly: true } as const;
  return (await writeMemories(tx, command, { ...dependencies, purgeAfterMs })).outcome === 'applied';
}

async function purgeMemoriesOfApps(
  tx: Tx,
  _deletion: Deletion,
  found: readonly FoundSubject[],
  { clock, ids }: ReplayDependencies,
): Promise<boolean> {
  for (const [appId, userId] of found) {
    await purgeAppMemories(tx, { appId: appId!, userId }, { now: clock.now(), ids, trace: null });
  }
  return found.length > 0;
}

async function editContexts(
  tx: Tx,
  found: readonly FoundSubject[],
  dependencies: ReplayDependencies,
  edit: (userId: string, part: string | undefined) => Promise<Parameters<typeof editUserContext>[1]['edit']>,
): Promise<boolean> {
  for (const [userId, part] of found) {
    const command = { userId: userId!, actor: ACTOR, edit: await edit(userId!, part), expectedRevision: null };
    await editUserContext(tx, command, dependencies);
  }
  return found.length > 0;
}
