import type { ErasureReceipt } from '@annals/contracts';
import { CHAIN_START, type ChainEnd, chainHash, replacedHashHmac, signReceipt } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { ErasureReceiptEntity } from '../entities/history.entity.js';
import { HISTORY_COLUMNS, type HistoryColumnsRow, toChainedFields } from './history-columns.js';

const PAGE_ROWS = 1_000;

/** What replaces a link's hashes. All hex. */
interface NewLink {
  readonly seq: number;
  readonly prev_hash: string;
  readonly hash: string;
  readonly replaced_hash: string;
}

/**
 * Rewrites the links of an erased user from the first one whose hash covers the user's id, with the pseudonym in its
 * place, and signs the receipts of earlier erasures again (docs/reference/audit.md#pseudonyms-of-users). Returns where
 * the chain ended before, its head as a keyed HMAC; null when no link covers the id. The user's row must be locked, and
 * its history under the pseudonym. `key`: the installation's audit key.
 */
export async function resealHistory(
  tx: Tx,
  { pseudonym, key }: { readonly pseudonym: string; readonly key: Uint8Array },
): Promise<ErasureReceipt['resealed']> {
  const before = await findLinkBefore(tx, pseudonym);
  if (before === null) return null;
  const replacements: NewLink[] = [];
  let end = before;
  for (;;) {
    const rows: HistoryColumnsRow[] = await tx.query(
      `SELECT ${HISTORY_COLUMNS} FROM history p WHERE p.user_id = $1 AND p.seq > $2 ORDER BY p.seq LIMIT $3`,
      [pseudonym, end.seq, PAGE_ROWS],
    );
    const links = rows.map((row) => {
      const seq = Number(row.seq);
      const hash = chainHash(end.head, toChainedFields(row, pseudonym, 2), 2);
      const replaced = replacedHashHmac(tx.chainKey, row.hash.toString('hex'));
      const link = { seq, prev_hash: end.head, hash, replaced_hash: replaced };
      end = { seq, head: hash };
      return link;
    });
    await tx.query('SELECT reseal_history($1, $2, $3)', [pseudonym, JSON.stringify(links), '[]']);
    replacements.push(...links);
    if (rows.length < PAGE_ROWS) break;
  }
  await tx.execute(`UPDATE users SET chain_head = decode($2, 'hex') WHERE user_id = $1`, [pseudonym, end.head]);
  await signReceiptsAgain(tx, pseudonym, key, new Map(replacements.map((link) => [link.seq, link])));
  return { seq: end.seq, head_hmac: replacements.at(-1)!.replaced_hash };
}

/** The last link before the first one of version 1; null when there is none of that version. */
async function findLinkBefore(tx: Tx, pseudonym: string): Promise<ChainEnd | null> {
  const [row] = await tx.query<{ is_needed: boolean; seq: string | null; head: string | null }>(
    `SELECT f.seq IS NOT NULL AS is_needed, h.seq, encode(h.hash, 'hex') AS head
       FROM (SELECT min(seq) AS seq FROM history WHERE user_id = $1 AND version = 1) f
       LEFT JOIN history h ON h.user_id = $1 AND h.seq = f.seq - 1`,
    [pseudonym],
  );
  if (!row!.is_needed) return null;
  return row!.head === null ? CHAIN_START : { seq: Number(row!.seq), head: row!.head };
}

async function signReceiptsAgain(
  tx: Tx,
  pseudonym: string,
  key: Uint8Array,
  links: ReadonlyMap<number, NewLink>,
): Promise<void> {
  const rows = await tx.query<Pick<ErasureReceiptEntity, 'id' | 'erased_at' | 'counts' | 'chain_seq'>>(
    'SELECT id, erased_at, counts, chain_seq FROM erasure_receipts WHERE user_id = $1 ORDER BY chain_seq',
    [pseudonym],
  );
  const receipts = rows.flatMap((row) => {
    const seq = Number(row.chain_seq);
    const link = links.get(seq);
    if (!link) return [];
    const resealed = { seq, head_hmac: link.replaced_hash };
    const signature = signReceipt(key, {
      id: row.id,
      tenantId: tx.tenantId,
      pseudonym,
      erasedAt: row.erased_at.toISOString(),
      counts: row.counts,
      chain: { seq, head: link.hash },
      resealed: { seq, headHmac: link.replaced_hash },
    });
    return [{ id: row.id, chain_head: link.hash, resealed, signature }];
  });
  if (receipts.length > 0) {
    await tx.query('SELECT reseal_history($1, $2, $3)', [pseudonym, '[]', JSON.stringify(receipts)]);
  }
}
