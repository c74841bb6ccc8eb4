import { analyzeTurns, type IndexedTurn, isOtherParticipant, type Sliced, type UnitTerms } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { NEIGHBOUR_TURNS } from './index-turns.js';

/** A stored turn, to be indexed anew (`isNew`) or a neighbour of one. */
export interface StoredTurn extends IndexedTurn {
  readonly conversationId: string;
  readonly isNew: boolean;
}

type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'actor_id' | 'content' | 'said_at'> & {
  role: 'user' | 'assistant';
  is_new: boolean;
};

/** A turn `m` of batch `b` that belongs into the index: its batch was indexed, and it was not evicted. */
export const BELONGS_INTO_INDEX_SQL = `m.role IN ('user', 'assistant') AND b.indexed_at IS NOT NULL AND m.evicted_at IS NULL`;

/** Those of these messages that belong into the index, with their neighbours, by conversation and in order. */
export async function loadIndexedTurns(tx: Tx, userId: string, ids: readonly string[]): Promise<StoredTurn[]> {
  if (ids.length === 0) return [];
  const besides = (condition: string) => `SELECT m.id FROM messages m
              WHERE m.tenant_id = p.tenant_id AND m.conversation_id = p.conversation_id AND ${condition}
                AND m.role IN ('user', 'assistant')`;
  const rows = await tx.query<TurnRow>(
    `WITH page AS MATERIALIZED (
       SELECT m.tenant_id, m.id, m.conversation_id, m.seq
         FROM messages m JOIN batches b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
        WHERE m.id = ANY ($1) AND ${BELONGS_INTO_INDEX_SQL}
     ), run AS MATERIALIZED (
       SELECT p.id FROM page p
       UNION
       SELECT n.id FROM page p CROSS JOIN LATERAL (
         (${besides('m.seq < p.seq')} ORDER BY m.seq DESC LIMIT ${NEIGHBOUR_TURNS})
         UNION ALL
         (${besides('m.seq > p.seq')} ORDER BY m.seq LIMIT ${NEIGHBOUR_TURNS})) n
     )
     SELECT m.id, m.conversation_id, m.role, m.actor_id, m.said_at, m.id IN (SELECT p.id FROM page p) AS is_new,
            -- The words of a neighbour that is not in the index are exchanged when it is indexed; here it keeps its position.
            CASE WHEN ${BELONGS_INTO_INDEX_SQL} THEN m.content ELSE '' END AS content
       FROM messages m JOIN batches b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
      WHERE m.id = ANY (ARRAY (SELECT r.id FROM run r))
      ORDER BY m.conversation_id, m.seq`,
    [ids],
  );
  return rows.map((row) => ({
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    speaker: row.actor_id,
    isOther: isOtherParticipant(userId, { role: row.role, actorId: row.actor_id }),
    content: row.content,
    saidAt: row.said_at.getTime(),
    isNew: row.is_new,
  }));
}

/** What the turns to be indexed anew are found by, in their order; their neighbours have their words already. */
export function* analyzeStoredTurns(run: readonly StoredTurn[]): Sliced<(UnitTerms & { readonly id: string })[]> {
  const analyzed: (UnitTerms & { readonly id: string })[] = [];
  for (const turns of Map.groupBy(run, ({ conversationId }) => conversationId).values()) {
    const analyses = yield* analyzeTurns(turns);
    for (const { id, isNew } of turns) if (isNew) analyzed.push({ ...analyses.get(id)!, id });
  }
  return analyzed;
}
