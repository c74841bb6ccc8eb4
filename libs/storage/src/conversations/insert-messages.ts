import { findOneTimeData, type IdGenerator } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { ForgottenContent } from '../forgetting/find-forgotten.js';
import type { AcceptMessagesInput, NewMessage } from './post-input.js';
import type { BatchShare } from './plan-post.js';

/** Where new messages go, and which of them were forgotten before, by position. */
export interface Placement {
  readonly shares: readonly BatchShare[];
  readonly batchIds: readonly string[];
  readonly firstSeq: number;
  readonly forgotten: ReadonlyMap<number, ForgottenContent>;
}

/** Inserts new messages, without what was forgotten of them before. */
export function insertMessages(
  tx: Tx,
  conversationId: string,
  input: AcceptMessagesInput,
  newMessages: readonly NewMessage[],
  { shares, batchIds, firstSeq, forgotten }: Placement,
  ids: IdGenerator,
): Promise<number> {
  const batchOf = shares.flatMap((share, index) => Array.from({ length: share.take }, () => batchIds[index]!));
  const rows = newMessages.map((message, index) => ({
    id: ids.next(),
    batch_id: batchOf[index],
    seq: firstSeq + index,
    external_id: message.externalId,
    role: message.role,
    actor_id: message.actorId,
    content: forgotten.get(index)?.content ?? message.content,
    content_hmac: message.contentHmac.toString('hex'),
    said_at: new Date(message.saidAt),
    forgotten_at: forgotten.get(index)?.forgottenAt ?? null,
    expires_ms: forgotten.has(index) ? null : findOneTimeData(message.content, message.saidAt).expiresAt,
  }));
  return tx.execute(
    `INSERT INTO messages (id, conversation_id, batch_id, seq, external_id, role, actor_id, agent_id, run_id, app_id,
                           content, content_hmac, said_at, received_at, forgotten_at, hidden_at,
                           expires_at)
     SELECT r.id, $2, r.batch_id, r.seq, r.external_id, r.role, r.actor_id, $3, $4, $5,
            r.content, decode(r.content_hmac, 'hex'), r.said_at, $6, r.forgotten_at,
            CASE WHEN r.forgotten_at IS NOT NULL AND r.content = '' THEN r.forgotten_at END, to_timestamp(r.expires_ms / 1000.0)
       FROM json_to_recordset($1) AS r (id uuid, batch_id uuid, seq integer, external_id text, role text,
                                        actor_id text, content text, content_hmac text, said_at timestamptz,
                                        forgotten_at timestamptz, expires_ms bigint)`,
    [JSON.stringify(rows), conversationId, input.agentId, input.runId, input.appId, new Date(input.now)],
  );
}
