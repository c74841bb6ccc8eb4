import { type IndexedTurn, isOtherParticipant, type RecallKind } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { NEIGHBOUR_TURNS } from '../lexical/index-turns.js';
import { NO_ANALYZER } from '../lexical/reindexing-user.js';
import { Binder } from './binder.js';
import { memoryConditions } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';
import { turnConditions } from './turn-conditions.js';

/** Maximum turns, and maximum memories of a user without an index, that are scored on the fly: the newest. */
const MAX_UNINDEXED_TURNS = 400;
const MAX_UNINDEXED_BATCHES = 100;
const MAX_UNINDEXED_MEMORIES = 1_000;

interface UnindexedTurn extends IndexedTurn {
  readonly conversationId: string;
  /** False: only its words count, for its neighbours. */
  readonly isNew: boolean;
  /** Whether it passes the filters. */
  readonly isMatch: boolean;
}

type UnindexedMemory = Readonly<Pick<MemoryEntity, 'id' | 'content' | 'category'>> & {
  /** Epoch ms. */
  readonly validFrom: number;
};

/** Texts that a query has to read since they are not indexed. */
export interface UnindexedTexts {
  /** In order within each conversation. */
  readonly turns: readonly UnindexedTurn[];
  readonly memories: readonly UnindexedMemory[];
}

/** Messages since the last indexed batch, and the newest memories of a user from before there was an index. */
export async function readUnindexed(
  tx: Tx,
  search: RecallSearch,
  kinds: readonly RecallKind[],
): Promise<UnindexedTexts> {
  const [turns, memories] = await allOf([
    kinds.includes('turn') ? readTurns(tx, search) : Promise.resolve([]),
    kinds.includes('memory') ? readMemories(tx, search) : Promise.resolve([]),
  ]);
  return { turns, memories };
}

type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'actor_id' | 'content' | 'said_at'> & {
  role: 'user' | 'assistant';
  is_new: boolean;
  is_match: boolean;
};

async function readTurns(tx: Tx, search: RecallSearch): Promise<UnindexedTurn[]> {
  const { bind, values } = new Binder();
  const user = bind(search.userId);
  const spoken = `role IN ('user', 'assistant')`;
  const rows = await tx.query<TurnRow>(
    `WITH waiting AS MATERIALIZED (
       SELECT b.tenant_id, b.id FROM batches b WHERE b.user_id = ${user} AND b.indexed_at IS NULL
        ORDER BY b.id DESC LIMIT ${MAX_UNINDEXED_BATCHES}
     ), turn AS MATERIALIZED (
       SELECT g.tenant_id, g.id, g.conversation_id, g.seq, g.role, g.actor_id, g.content, g.said_at,
              ${turnConditions(search, bind)} AS is_match
         FROM waiting w
         JOIN messages g ON g.tenant_id = w.tenant_id AND g.batch_id = w.id
         JOIN conversations c ON c.tenant_id = g.tenant_id AND c.id = g.conversation_id
        WHERE g.${spoken}
        ORDER BY is_match DESC, g.received_at DESC, g.id DESC LIMIT ${MAX_UNINDEXED_TURNS}
     ), edge AS (
       SELECT tenant_id, conversation_id, min(seq) AS first FROM turn GROUP BY tenant_id, conversation_id
     ), run AS (
       SELECT t.id, t.conversation_id, t.seq, t.role, t.actor_id, t.content, t.said_at, t.is_match, true AS is_new
         FROM turn t
       UNION ALL
       SELECT before.id, e.conversation_id, before.seq, before.role, before.actor_id, before.content, before.said_at,
              false, false
         FROM edge e CROSS JOIN LATERAL (
           SELECT m.id, m.seq, m.role, m.actor_id, m.content, m.said_at FROM messages m
            WHERE m.tenant_id = e.tenant_id AND m.conversation_id = e.conversation_id AND m.seq < e.first AND m.${spoken}
            ORDER BY m.seq DESC LIMIT ${NEIGHBOUR_TURNS}) before
     )
     SELECT id, conversation_id, role, actor_id, content, said_at, is_new, is_match FROM run
      ORDER BY conversation_id, seq`,
    values,
  );
  return rows.map((row) => ({
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    speaker: row.actor_id,
    isOther: isOtherParticipant(search.userId, { role: row.role, actorId: row.actor_id }),
    content: row.content,
    saidAt: row.said_at.getTime(),
    isNew: row.is_new,
    isMatch: row.is_match,
  }));
}

async function readMemories(tx: Tx, search: RecallSearch): Promise<UnindexedMemory[]> {
  const { bind, values } = new Binder();
  const user = bind(search.userId);
  const rows = await tx.query<Pick<MemoryEntity, 'id' | 'content' | 'category' | 'valid_from'>>(
    `SELECT m.id, m.content, m.category, m.valid_from FROM memories m
      WHERE (SELECT u.analyzer = ${NO_ANALYZER} FROM users u WHERE u.user_id = ${user})
        AND ${memoryConditions(search, bind)}
      ORDER BY m.updated_at DESC, m.id DESC LIMIT ${MAX_UNINDEXED_MEMORIES}`,
    values,
  );
  return rows.map(({ valid_from, ...row }) => ({ ...row, validFrom: valid_from.getTime() }));
}
