import type { Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';

/** A stored turn to be indexed. */
export interface StoredTurnRow {
  readonly id: string;
  readonly conversationId: string;
  readonly role: 'user' | 'assistant';
  readonly speaker: string | null;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'seq' | 'actor_id' | 'content' | 'said_at'> & {
  role: 'user' | 'assistant';
};

/** All turns of a user's batches that are marked as indexed, by conversation, in order. */
export async function* loadIndexedTurns(tx: Tx, userId: string, pageSize: number): AsyncGenerator<StoredTurnRow[]> {
  let after: readonly [string, number] = ['00000000-0000-0000-0000-000000000000', 0];
  for (;;) {
    const rows = await tx.query<TurnRow>(
      `SELECT m.id, m.conversation_id, m.seq, m.role, m.actor_id, m.content, m.said_at
         FROM conversations c
         JOIN messages m ON m.tenant_id = c.tenant_id AND m.conversation_id = c.id
         JOIN batches b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
        WHERE c.user_id = $1 AND c.id >= $2 AND (m.conversation_id, m.seq) > ($2, $3)
          AND m.role IN ('user', 'assistant') AND b.indexed_at IS NOT NULL
        ORDER BY m.conversation_id, m.seq LIMIT ${Math.trunc(pageSize)}`,
      [userId, ...after],
    );
    if (rows.length > 0) yield rows.map(toTurn);
    if (rows.length < pageSize) return;
    const last = rows.at(-1)!;
    after = [last.conversation_id, last.seq];
  }
}

function toTurn(row: TurnRow): StoredTurnRow {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    speaker: row.actor_id,
    content: row.content,
    saidAt: row.said_at.getTime(),
  };
}
