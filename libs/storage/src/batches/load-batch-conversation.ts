import type { MessageRole } from '@annals/contracts';
import { defineRead } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';

/** One stored message as extraction reads it. */
export interface StoredTurn {
  readonly id: string;
  readonly seq: number;
  readonly role: MessageRole;
  readonly actorId: string | null;
  readonly content: string;
  /** Epoch ms of the message. */
  readonly saidAt: number;
  /** What it says was deleted: nothing is extracted from it. Default: false. */
  readonly isHidden?: boolean;
}

type TurnRow = Pick<MessageEntity, 'id' | 'seq' | 'role' | 'actor_id' | 'content' | 'said_at'> & { is_hidden: boolean };

/**
 * A batch's messages in order, and those of the `contextMessages` messages before them in the conversation that the
 * user has not deleted or hidden: a model that reads a deleted name could write it again, about anybody meant in the
 * batch.
 */
export async function loadBatchConversation(
  tx: Tx,
  batchId: string,
  { contextMessages }: { contextMessages: number },
): Promise<{ messages: StoredTurn[]; context: StoredTurn[] }> {
  const [messages, context] = await allOf([
    tx.each(TURNS, { batch_id: batchId }),
    contextMessages > 0
      ? tx.each(CONTEXT, { batch_id: batchId, context_messages: contextMessages })
      : Promise.resolve([]),
  ]);
  return { messages: messages.map(toTurn), context: context.map(toTurn) };
}

/** When messages of a batch's conversation were said, epoch ms by id; those of other conversations are left out. */
export async function loadSaidTimes(
  tx: Tx,
  batchId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<Pick<MessageEntity, 'id' | 'said_at'>>(
    `SELECT m.id, m.said_at FROM messages m JOIN batches b ON b.conversation_id = m.conversation_id
      WHERE b.id = $1 AND m.id = ANY ($2::uuid[])`,
    [batchId, ids],
  );
  return new Map(rows.map(({ id, said_at }) => [id, said_at.getTime()]));
}

/** Those of a conversation's last `limit` messages that the user has not deleted or hidden, in order. */
export async function loadLastTurns(tx: Tx, conversationId: string, limit: number): Promise<StoredTurn[]> {
  const rows = await tx.query<TurnRow>(selectLastSql('m.conversation_id = $1', '$2'), [conversationId, limit]);
  return rows.map(toTurn);
}

// Selects the last `limit` messages before it checks which are visible, so that a long conversation is not read for ten
// turns.
function selectLastSql(among: string, limit: string): string {
  return `SELECT g.id, g.seq, g.role, g.actor_id, g.content, g.said_at, false AS is_hidden
            FROM (SELECT m.* FROM messages m WHERE ${among} ORDER BY m.seq DESC LIMIT ${limit}) g
           WHERE ${IS_RECALLABLE_SQL}
           ORDER BY g.seq`;
}

const TURNS = defineRead<{ batch_id: string }, TurnRow>(
  'batch_id uuid',
  `SELECT g.id, g.seq, g.role, g.actor_id, g.content, g.said_at, NOT ${IS_RECALLABLE_SQL} AS is_hidden
     FROM messages g WHERE g.batch_id = given.batch_id ORDER BY g.seq`,
);

const CONTEXT = defineRead<{ batch_id: string; context_messages: number }, TurnRow>(
  'batch_id uuid, context_messages integer',
  selectLastSql(
    `m.conversation_id = (SELECT b.conversation_id FROM batches b WHERE b.id = given.batch_id)
       AND m.seq < (SELECT min(f.seq) FROM messages f WHERE f.batch_id = given.batch_id)`,
    'given.context_messages',
  ),
);

function toTurn(row: TurnRow): StoredTurn {
  return {
    id: row.id,
    seq: row.seq,
    role: row.role,
    actorId: row.actor_id,
    content: row.content,
    saidAt: row.said_at.getTime(),
    isHidden: row.is_hidden,
  };
}
