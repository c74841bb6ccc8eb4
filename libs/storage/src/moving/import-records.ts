import type { RecordsImported } from '@annals/contracts';
import { lockUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { findKnownRecords, type PossibleIds } from './find-known-records.js';
import { importConversations } from './import-conversations.js';
import { importContext } from './import-context.js';
import type { RecordsToImport } from './import-input.js';
import { importMemories } from './import-memories.js';
import { ImportedIds } from './imported-ids.js';

/**
 * Imports finished records of one user (docs/reference/moving.md): each is taken once, under its own id where that is
 * free, and what somebody had forgotten here stays so. Locks the user, then the conversations. A dry run does the same:
 * its caller rolls the transaction back.
 */
export async function importRecords(
  tx: Tx,
  input: RecordsToImport,
  dependencies: WriteDependencies,
): Promise<Pick<RecordsImported, 'user_context' | 'conversations' | 'memories'>> {
  const { userId, source } = input;
  const { erasedAt } = await lockUser(tx, userId, input.now);
  const userContext = await importContext(tx, input, { erasedAt }, dependencies);
  const ids = new ImportedIds(tx.chainKey, { tenantId: tx.tenantId, userId, source });
  const known = await findKnownRecords(tx, listPossibleIds(input, ids), {
    userId,
    threadIds: input.conversations.map(({ thread_id: threadId }) => threadId),
    contents: input.memories.map(({ content }) => content),
  });
  const context = { ids, known, erasedAt };
  const { results: conversations, texts } = await importConversations(tx, input, context, dependencies.ids);
  const memories = await importMemories(tx, input, { ...context, texts }, dependencies);
  return { user_context: userContext, conversations: [...conversations], memories };
}

function listPossibleIds({ conversations, memories }: RecordsToImport, ids: ImportedIds): PossibleIds {
  const messages = [
    ...conversations.flatMap((conversation) => conversation.messages.map(({ id }) => id)),
    ...memories.flatMap(({ sources }) => sources.map(({ messageId }) => messageId)),
  ];
  const named = memories.flatMap(({ id, superseded_by: successor, relations }) => [
    id,
    ...(successor === null ? [] : [successor]),
    ...relations.map(({ to }) => to),
  ]);
  const listAll = (kind: 'conversation' | 'message' | 'memory', each: readonly string[]) => [
    ...new Set(each.flatMap((id) => ids.candidates(kind, id))),
  ];
  return {
    conversations: listAll(
      'conversation',
      conversations.map(({ id }) => id),
    ),
    messages: listAll('message', messages),
    memories: listAll('memory', named),
  };
}
