import { type LangGraphHistory, MAX_PAGE_BYTES } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import { NAMESPACE_OF_THREAD, ofThread } from './namespaces.js';
import { STATES_OF_CHECKPOINT_SQL, toWrite, type WriteColumns, writesSql } from './read-langgraph-checkpoints.js';
import { composeState } from './stored-states.js';

export interface HistoryQuery {
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
  readonly channels: readonly string[];
  readonly userId: string | undefined;
  readonly limit: number;
}

interface AncestorRow {
  readonly checkpoint_id: string;
  readonly parent_id: string | null;
  readonly states: Buffer | null;
  readonly writes: WriteColumns[] | null;
}

/**
 * The ancestors of a checkpoint, the nearest first, with their writes to the channels. The list ends with the first one
 * that is not known to lack a value of any of the channels, whose state it has: the caller looks whether it has one, and
 * asks again from there if not. It also ends after `limit`, or when it is larger than `MAX_PAGE_BYTES`.
 */
export async function readLangGraphHistory(
  tx: Tx,
  { threadId, checkpointNs, checkpointId, channels, userId, limit }: HistoryQuery,
): Promise<LangGraphHistory> {
  const rows = await tx.query<AncestorRow>(
    `WITH RECURSIVE target AS (
       SELECT c.namespace_key, c.parent_id FROM ${NAMESPACE_OF_THREAD}
         JOIN langgraph_checkpoints c ON c.tenant_id = n.tenant_id AND c.namespace_key = n.namespace_key
        WHERE ${ofThread('$1', '$4')} AND n.checkpoint_ns = $2 AND c.checkpoint_id = $3
     ), chain AS (
       SELECT c.namespace_key, c.checkpoint_id, c.parent_id, c.seq, c.whole_seq, c.bytes, 1 AS place,
              NOT coalesce(c.replayed_channels @> $5::text[], false) AS is_last
         FROM target p
         JOIN langgraph_checkpoints c ON c.namespace_key = p.namespace_key AND c.checkpoint_id = p.parent_id
       UNION ALL
       SELECT c.namespace_key, c.checkpoint_id, c.parent_id, c.seq, c.whole_seq, c.bytes, p.place + 1,
              NOT coalesce(c.replayed_channels @> $5::text[], false)
         FROM chain p
         JOIN langgraph_checkpoints c ON c.namespace_key = p.namespace_key AND c.checkpoint_id = p.parent_id
        WHERE NOT p.is_last AND p.place < $6
     )
     SELECT c.checkpoint_id, c.parent_id, CASE WHEN c.is_last THEN ${STATES_OF_CHECKPOINT_SQL} END AS states,
            ${writesSql('AND w.channel = ANY ($5)')} AS writes
       FROM chain c ORDER BY c.place`,
    [threadId, checkpointNs, checkpointId, userId ?? null, channels, limit],
  );
  let bytes = 0;
  const items: LangGraphHistory['items'] = [];
  for (const row of rows) {
    const writes = (row.writes ?? []).map(toWrite);
    bytes += writes.reduce((sum, { value }) => sum + value.length, 0);
    if (items.length > 0 && bytes > MAX_PAGE_BYTES) break;
    const state = row.states && composeState(row.states).toString('utf8');
    items.push({ checkpoint_id: row.checkpoint_id, parent_id: row.parent_id, state, writes });
  }
  return { items };
}
