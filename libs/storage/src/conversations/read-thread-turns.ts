import type { Tx } from '../database/transaction.js';

/** A message that was said in a thread, without its words. */
export interface ThreadTurn {
  readonly id: string;
  readonly externalId: string | null;
  readonly role: 'user' | 'assistant';
  readonly contentHmac: Buffer | null;
}

export interface ThreadTurns {
  /** Epoch ms; null of a thread that has not begun. */
  readonly startedAt: number | null;
  /** The newest `limit`, in their order. */
  readonly turns: readonly ThreadTurn[];
}

interface TurnRow {
  readonly started_at: Date;
  readonly id: string | null;
  readonly external_id: string | null;
  readonly role: ThreadTurn['role'];
  readonly content_hmac: Buffer | null;
}

/** What was said in a user's thread, by one statement, to recognise what is sent again. */
export async function readThreadTurns(
  tx: Tx,
  { userId, threadId, limit }: { readonly userId: string; readonly threadId: string; readonly limit: number },
): Promise<ThreadTurns> {
  const rows = await tx.query<TurnRow>(
    `SELECT c.created_at AS started_at, m.id, m.external_id, m.role, m.content_hmac
       FROM conversations c
       LEFT JOIN LATERAL (
         SELECT t.id, t.external_id, t.role, t.content_hmac, t.seq FROM messages t
          WHERE t.tenant_id = c.tenant_id AND t.conversation_id = c.id AND t.role IN ('user', 'assistant')
          ORDER BY t.seq DESC LIMIT $3) m ON true
      WHERE c.user_id = $1 AND c.thread_id = $2
      ORDER BY m.seq`,
    [userId, threadId, limit],
  );
  const turns = rows.flatMap(({ id, external_id: externalId, role, content_hmac: contentHmac }) =>
    id === null ? [] : [{ id, externalId, role, contentHmac }],
  );
  return { startedAt: rows[0]?.started_at.getTime() ?? null, turns };
}
