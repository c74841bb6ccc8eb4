import type { MemorySource } from '@annals/contracts';
import { allOf, type Tx } from '../database/transaction.js';
import { loadSources, type SourceRow } from '../memories/read-memories.js';

/** Sources of the memories and turns of an answer, by id; a turn is its own source. */
export async function loadAnswerSources(
  tx: Tx,
  { memoryIds, messageIds }: { readonly memoryIds: readonly string[]; readonly messageIds: readonly string[] },
): Promise<Map<string, MemorySource[]>> {
  const [sources, turns] = await allOf([loadSources(tx, memoryIds), loadTurns(tx, messageIds)]);
  for (const { said_at, ...turn } of turns) {
    sources.set(turn.message_id, [{ ...turn, said_at: said_at.toISOString() }]);
  }
  return sources;
}

async function loadTurns(tx: Tx, messageIds: readonly string[]): Promise<Omit<SourceRow, 'memory_id'>[]> {
  if (messageIds.length === 0) return [];
  return tx.query<Omit<SourceRow, 'memory_id'>>(
    `SELECT g.conversation_id, g.id AS message_id, c.thread_id, g.actor_id, g.content AS quote, g.said_at
       FROM messages g JOIN conversations c ON c.tenant_id = g.tenant_id AND c.id = g.conversation_id
      WHERE g.id = ANY ($1)`,
    [messageIds],
  );
}
