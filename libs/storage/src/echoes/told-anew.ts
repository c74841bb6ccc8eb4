import {
  type EchoedStatement,
  findRetold,
  type HistoryDraft,
  indexStatements,
  isCurrent,
  pauseInTransaction,
  readStatement,
  runInSlices,
  type WritePlan,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { isToldAnewSql, TOLD_ANEW } from './is-told-anew.js';
import type { StoredOverMemory } from './note-echoes.js';

export interface ToldAnew {
  readonly links: WritePlan['links'];
  readonly history: readonly HistoryDraft[];
}

/**
 * What a plan tells anew (docs/reference/recall.md#told-anew): relations from the memories that were over before it to
 * those that say the same in other words. The same words need none.
 */
export async function findToldAnew(
  memories: readonly StoredOverMemory[],
  { toEmbed }: Pick<WritePlan, 'toEmbed'>,
): Promise<ToldAnew> {
  const added = toEmbed.filter(isCurrent);
  const over = indexStatements(added.length === 0 ? [] : memories.flatMap(toStatement));
  const links: WritePlan['links'][number][] = [];
  const history: HistoryDraft[] = [];
  for (const { id: toId, content, hash } of over.statements.length === 0 ? [] : added) {
    for (const { memory } of await runInSlices(findRetold(content, over), pauseInTransaction)) {
      if (memory.normalized_hash === hash) continue;
      const [relationType, strength] = ['related_to', 1] as const;
      links.push({ fromId: memory.id, toId, relationType, strength });
      history.push({
        memoryId: memory.id,
        event: 'LINK',
        oldRef: null,
        newRef: toId,
        content: memory.content,
        meta: { relation_type: relationType, strength, reason: TOLD_ANEW },
      });
    }
  }
  return { links, history };
}

function toStatement(memory: StoredOverMemory): (EchoedStatement & { readonly memory: StoredOverMemory })[] {
  const statement = readStatement(memory.content);
  return statement ? [{ ...statement, memory }] : [];
}

/** Before a purge, which hides echoes of what it purges: without those of what was told anew. */
export function keepEchoesToldAnew(tx: Tx, userId: string, memoryIds: readonly string[]): Promise<number> {
  return tx.execute(
    `WITH told AS MATERIALIZED (
       SELECT d.id, d.deleted_at FROM memories d WHERE d.id = ANY ($2) AND ${isToldAnewSql('d', "k.state = 'active'")})
     UPDATE messages g
        SET echo_of = (SELECT array_agg(n.id ORDER BY n.id) FROM unnest(g.echo_of) AS n (id)
                        WHERE NOT EXISTS (SELECT FROM told t WHERE t.id = n.id AND g.said_at > t.deleted_at))
       FROM conversations c
      WHERE c.user_id = $1 AND g.tenant_id = c.tenant_id AND g.conversation_id = c.id
        AND g.role = 'assistant' AND g.echo_of IS NOT NULL
        AND EXISTS (SELECT FROM told t WHERE t.id = ANY (g.echo_of) AND g.said_at > t.deleted_at)`,
    [userId, memoryIds],
  );
}
