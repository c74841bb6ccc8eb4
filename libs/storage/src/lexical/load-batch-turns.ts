import type { IndexedTurn } from '@annals/domain';
import type { Nullable, Tx } from '../database/transaction.js';
import type { LexicalUnitEntity } from '../entities/lexical-index.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';

/**
 * Number of turns on either side whose words also match a turn
 * (docs/reference/recall.md#neighbouring-turns-as-index-text).
 */
export const NEIGHBOUR_TURNS = 2;

/** A turn to be indexed, or a neighbour of one. */
export interface BatchTurn extends IndexedTurn {
  /** Its unit number, when it is in the index. */
  readonly unit: number | null;
}

type BatchTurnRow = Pick<MessageEntity, 'id' | 'actor_id' | 'content' | 'said_at'> &
  Nullable<Pick<LexicalUnitEntity, 'unit'>> & { role: 'user' | 'assistant'; is_new: boolean };

/** A batch's turns in order, with their neighbours in the conversation before and after them. */
export async function loadBatchTurns(tx: Tx, batchId: string): Promise<BatchTurn[]> {
  const rows = await tx.query<BatchTurnRow>(
    `WITH edge AS MATERIALIZED (
       SELECT b.tenant_id, b.conversation_id, min(m.seq) AS first, max(m.seq) AS last
         FROM batches b JOIN messages m ON m.tenant_id = b.tenant_id AND m.batch_id = b.id
        WHERE b.id = $1 GROUP BY b.tenant_id, b.conversation_id
     ), run AS (
       SELECT m.* FROM edge e JOIN messages m ON m.tenant_id = e.tenant_id AND m.batch_id = $1
        WHERE m.role IN ('user', 'assistant')
       UNION ALL
       SELECT before.* FROM edge e, LATERAL (
         SELECT m.* FROM messages m
          WHERE m.tenant_id = e.tenant_id AND m.conversation_id = e.conversation_id AND m.seq < e.first
            AND m.role IN ('user', 'assistant')
          ORDER BY m.seq DESC LIMIT ${NEIGHBOUR_TURNS}) before
       UNION ALL
       SELECT behind.* FROM edge e, LATERAL (
         SELECT m.* FROM messages m
          WHERE m.tenant_id = e.tenant_id AND m.conversation_id = e.conversation_id AND m.seq > e.last
            AND m.role IN ('user', 'assistant')
          ORDER BY m.seq LIMIT ${NEIGHBOUR_TURNS}) behind
     )
     SELECT r.id, r.role, r.actor_id, r.content, r.said_at, r.batch_id = $1 AS is_new, u.unit
       FROM run r LEFT JOIN lexical_units u ON u.message_id = r.id
      ORDER BY r.seq`,
    [batchId],
  );
  return rows.map(toBatchTurn);
}

function toBatchTurn(row: BatchTurnRow): BatchTurn {
  return {
    id: row.id,
    role: row.role,
    speaker: row.actor_id,
    // The words of a neighbour that is not in the index yet are exchanged when it is indexed; here it only keeps its
    // position.
    content: row.is_new || row.unit !== null ? row.content : '',
    saidAt: row.said_at.getTime(),
    isNew: row.is_new,
    unit: row.unit,
  };
}
