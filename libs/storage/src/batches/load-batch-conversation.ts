import type { MessageRole } from '@annals/contracts';
import { allOf, type Tx } from '../database/transaction.js';

/** One stored message as extraction reads it. */
export interface StoredTurn {
  readonly id: string;
  readonly seq: number;
  readonly role: MessageRole;
  readonly actorId: string | null;
  readonly content: string;
  /** Epoch ms at which it was said. */
  readonly saidAt: number;
}

interface TurnRow {
  id: string;
  seq: number;
  role: MessageRole;
  actor_id: string | null;
  content: string;
  said_at: Date;
}

/** A batch's messages in order, and the `contextMessages` messages that came before them in the conversation. */
export async function loadBatchConversation(
  tx: Tx,
  batchId: string,
  options: { contextMessages: number },
): Promise<{ messages: StoredTurn[]; context: StoredTurn[] }> {
  const [messages, context] = await allOf([
    tx.query<TurnRow>(
      'SELECT id, seq, role, actor_id, content, said_at FROM messages WHERE batch_id = $1 ORDER BY seq',
      [batchId],
    ),
    tx.query<TurnRow>(
      `SELECT m.id, m.seq, m.role, m.actor_id, m.content, m.said_at
         FROM batches b JOIN messages m ON m.tenant_id = b.tenant_id AND m.conversation_id = b.conversation_id
        WHERE b.id = $1 AND m.seq < (SELECT min(f.seq) FROM messages f WHERE f.batch_id = $1)
        ORDER BY m.seq DESC LIMIT $2`,
      [batchId, options.contextMessages],
    ),
  ]);
  return { messages: messages.map(toTurn), context: context.toReversed().map(toTurn) };
}

function toTurn(row: TurnRow): StoredTurn {
  return {
    id: row.id,
    seq: row.seq,
    role: row.role,
    actorId: row.actor_id,
    content: row.content,
    saidAt: row.said_at.getTime(),
  };
}
