import { findOneTimeData, type IdGenerator } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
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
): Promise<unknown> {
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
  const { agentId: agent_id, runId: run_id, appId: app_id } = input;
  const received = { agent_id, run_id, app_id, received_at: new Date(input.now) };
  return tx.each(INSERT_MESSAGES, { rows, conversation_id: conversationId, ...received });
}

interface MessagesGiven {
  readonly rows: readonly object[];
  readonly conversation_id: string;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly app_id: string | null;
  readonly received_at: Date;
}

const INSERT_MESSAGES = defineSet<MessagesGiven>(
  'rows json, conversation_id uuid, agent_id text, run_id text, app_id text, received_at timestamptz',
  `INSERT INTO messages (id, conversation_id, batch_id, seq, external_id, role, actor_id, agent_id, run_id, app_id,
                         content, content_hmac, said_at, received_at, forgotten_at, hidden_at, expires_at)
   SELECT r.id, given.conversation_id, r.batch_id, r.seq, r.external_id, r.role, r.actor_id, given.agent_id,
          given.run_id, given.app_id, r.content, decode(r.content_hmac, 'hex'), r.said_at, given.received_at,
          r.forgotten_at, CASE WHEN r.forgotten_at IS NOT NULL AND r.content = '' THEN r.forgotten_at END,
          to_timestamp(r.expires_ms / 1000.0)
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (id uuid, batch_id uuid, seq integer, external_id text, role text, actor_id text, content text,
             content_hmac text, said_at timestamptz, forgotten_at timestamptz, expires_ms bigint)`,
);
