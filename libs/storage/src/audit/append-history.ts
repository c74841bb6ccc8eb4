import {
  chainHistory,
  type Clock,
  type HistoryContext,
  type HistoryDraft,
  type HistoryRow,
  type IdGenerator,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { insertHistory } from '../memories/record-statements.js';
import { lockUser } from './user-chain.js';

/** Rows for a user's audit history that describe a write other than a memory change. */
export interface AppendHistoryInput {
  readonly userId: string;
  /** Actor: `key:<id>` or a worker's name. */
  readonly actor: string;
  /** `content` is removed by an erasure. `meta` is retained forever, so it must not contain personal content. */
  readonly rows: readonly HistoryDraft[];
}

const SALT_BYTES = 16;

/**
 * Appends rows to a user's audit chain, in the transaction of the write they describe
 * (docs/reference/memory-model.md#history-and-change-log-events, docs/reference/audit.md#hash-chain-of-the-history),
 * and returns them. Locks the user's row first.
 */
export async function appendHistory(
  tx: Tx,
  { userId, actor, rows }: AppendHistoryInput,
  { clock, ids, randomBytes }: { clock: Clock; ids: IdGenerator; randomBytes: (size: number) => Buffer },
): Promise<HistoryRow[]> {
  const now = clock.now();
  const { chain } = await lockUser(tx, userId, now);
  const context: HistoryContext = { userId, actor, batchId: null, ts: new Date(now).toISOString() };
  const history = chainHistory(
    rows,
    chain,
    context,
    () => ids.next(),
    () => randomBytes(SALT_BYTES).toString('hex'),
  );
  const head = history.at(-1);
  if (!head) return [];
  tx.atCommit(
    insertHistory(tx, history, context),
    tx.execute(`UPDATE users SET chain_seq = $2, chain_head = decode($3, 'hex') WHERE user_id = $1`, [
      userId,
      head.seq,
      head.hash,
    ]),
  );
  return history;
}
