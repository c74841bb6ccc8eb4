import { chainedFields, type ChainRow, GENESIS_HASH, type HistoryDraft } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';

interface ChainedRow {
  seq: string;
  id: string;
  memory_id: string | null;
  event: HistoryDraft['event'];
  old_ref: string | null;
  new_ref: string | null;
  actor: string;
  batch_id: string | null;
  meta: HistoryDraft['meta'];
  content_hmac: Buffer;
  prev_hash: Buffer;
  hash: Buffer;
  ts: Date;
}

/** A user's audit chain in order, as `verifyChain` takes it, and the head that the user's row remembers. */
export async function readChain(tx: Tx, userId: string): Promise<{ rows: ChainRow[]; head: string }> {
  const [rows, users] = await allOf([
    tx.query<ChainedRow>(
      `SELECT seq, id, memory_id, event, old_ref, new_ref, actor, batch_id, meta, content_hmac, prev_hash, hash, ts
         FROM history WHERE user_id = $1 ORDER BY seq`,
      [userId],
    ),
    tx.query<{ chain_head: Buffer | null }>('SELECT chain_head FROM users WHERE user_id = $1', [userId]),
  ]);
  return {
    rows: rows.map((row) => ({
      prevHash: row.prev_hash.toString('hex'),
      hash: row.hash.toString('hex'),
      fields: chainedFields(
        {
          id: row.id,
          seq: Number(row.seq),
          memoryId: row.memory_id,
          event: row.event,
          oldRef: row.old_ref,
          newRef: row.new_ref,
          content: '',
          meta: row.meta,
          contentHmac: row.content_hmac.toString('hex'),
        },
        { userId, actor: row.actor, batchId: row.batch_id, ts: row.ts.toISOString() },
      ),
    })),
    head: users[0]?.chain_head?.toString('hex') ?? GENESIS_HASH,
  };
}
