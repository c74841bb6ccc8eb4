import { cutSentences, findQuote, settleSources } from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { WriteDependencies } from '../memories/write-memories.js';
import { carryOutForgetting } from './carry-out-forgetting.js';
import { loadMemories, loadMemoriesFrom } from './forgettable-texts.js';

/**
 * Forgets memories of one user for good, with the sentences that they were taken from, unless `keepsMessages`. What else
 * rests on these stays. False when there is none of them.
 */
export async function forgetMemories(
  tx: Tx,
  {
    memoryIds,
    actor,
    keepsMessages = false,
  }: { readonly memoryIds: readonly string[]; readonly actor: string; readonly keepsMessages?: boolean },
  dependencies: WriteDependencies,
): Promise<boolean> {
  const [owner] = await tx.query<Pick<MemoryEntity, 'user_id'>>(
    'SELECT user_id FROM memories WHERE id = ANY ($1) LIMIT 1',
    [memoryIds],
  );
  if (!owner) return false;
  const { user_id: userId } = owner;
  await lockExistingUser(tx, userId);
  const memories = await loadMemories(tx, memoryIds);
  const quotes = keepsMessages ? [] : memories.flatMap(({ sources }) => sources);
  const messages = await tx.query<Pick<MessageEntity, 'id' | 'content'>>(
    `SELECT id, content FROM messages WHERE id = ANY ($1) AND content <> '' ORDER BY id`,
    [quotes.map(({ messageId }) => messageId)],
  );
  const cuts = messages.flatMap(({ id, content }) => {
    const places = quotes.filter(({ messageId }) => messageId === id).flatMap(({ quote }) => findQuote(content, quote));
    return places.length === 0 ? [] : [{ messageId: id, isEcho: false, ...cutSentences(content, places) }];
  });
  const rests = new Map(cuts.map(({ messageId, rest }) => [messageId, rest]));
  const besides = await loadMemoriesFrom(tx, [...rests.keys()]);
  const others = besides.filter(({ id }) => !memoryIds.includes(id));
  const { lostQuotes } = settleSources(others, rests, { keepsWhatRestsOnIt: true });
  const ids = memories.map(({ id }) => id);
  await carryOutForgetting(tx, { userId, actor, memoryIds: ids, cuts, lostQuotes, others: [] }, dependencies);
  return ids.length > 0;
}
