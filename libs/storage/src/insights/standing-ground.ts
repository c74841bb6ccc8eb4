import { IS_CURRENT_SQL } from '../memories/is-current.js';
import { IS_RECALLABLE_SQL } from '../query/turn-conditions.js';

/**
 * SQL of whether the memory with this id holds: it is current, or was merged into one that is, since then nothing has
 * ended.
 */
const isHeldSql = (id: string) => `EXISTS (
       WITH RECURSIVE held AS (
         SELECT m.id, m.superseded_by, ${IS_CURRENT_SQL} AS is_current FROM memories m
          WHERE m.id = ${id} AND m.state = 'active'
         UNION
         SELECT m.id, m.superseded_by, ${IS_CURRENT_SQL} FROM held b JOIN memories m ON m.id = b.superseded_by
          WHERE NOT b.is_current AND m.state = 'active'
            AND EXISTS (SELECT FROM history h WHERE h.memory_id = b.id AND h.event = 'MERGE' AND h.new_ref = m.id))
       SELECT FROM held WHERE is_current)`;

/** What counts as gone already (SQL): a conversation, and messages that lose words. */
interface Except {
  readonly conversationId?: string;
  readonly messageIds?: string;
}

/** SQL of whether a message is there, is not excepted, and nothing deleted hides it. */
const isSaidSql = (id: string, { conversationId = 'NULL', messageIds = `'{}'` }: Except) => `EXISTS (
       SELECT FROM messages g
        WHERE g.id = ${id} AND g.conversation_id IS DISTINCT FROM ${conversationId}::uuid
          AND NOT g.id = ANY (${messageIds}::uuid[]) AND ${IS_RECALLABLE_SQL})`;

/** SQL of whether the row `r` of `insight_grounds` stands. */
export function isStandingSql(r: string, except: Except = {}): string {
  return `CASE WHEN ${r}.ground_id IS NULL THEN ${isSaidSql(`${r}.message_id`, except)}
               ELSE ${isHeldSql(`${r}.ground_id`)} END`;
}
