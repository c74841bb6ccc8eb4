import type { Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';

/** What is left of a message that lost words for good. */
export interface ForgottenContent {
  readonly content: string;
  readonly forgottenAt: Date;
}

interface SentMessage {
  /** HMAC of its words as they came in. */
  readonly contentHmac: Buffer;
  /** Of the same under other keys that are accepted. */
  readonly acceptedHmacs?: readonly Buffer[];
  /** Epoch ms. */
  readonly saidAt: number;
}

const listHmacs = ({ contentHmac, acceptedHmacs = [] }: SentMessage) => [contentHmac, ...acceptedHmacs];

/**
 * Which of these messages of a user are the same as one that lost words for good, and were not said after that: by their
 * position, what is left of it (docs/reference/forgetting.md#what-is-sent-again).
 */
export async function findForgotten(
  tx: Tx,
  userId: string,
  messages: readonly SentMessage[],
): Promise<ReadonlyMap<number, ForgottenContent>> {
  if (messages.length === 0) return new Map();
  const rows = await tx.query<Pick<MessageEntity, 'content' | 'content_hmac'> & { forgotten_at: Date }>(
    `SELECT m.content, m.content_hmac, m.forgotten_at
       FROM messages m JOIN conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id
      WHERE m.content_hmac = ANY ($1) AND m.forgotten_at IS NOT NULL AND c.user_id = $2
      ORDER BY m.forgotten_at, length(m.content) DESC`,
    [messages.flatMap(listHmacs), userId],
  );
  const found = new Map<number, ForgottenContent>();
  if (rows.length === 0) return found;
  for (const [index, message] of messages.entries()) {
    const hmacs = listHmacs(message);
    // The last: what lost most of its words when it was forgotten last.
    const row = rows.findLast(
      ({ content_hmac: stored, forgotten_at: at }) =>
        message.saidAt <= at.getTime() && hmacs.some((hmac) => stored !== null && hmac.equals(stored)),
    );
    if (row) found.set(index, { content: row.content, forgottenAt: row.forgotten_at });
  }
  return found;
}
