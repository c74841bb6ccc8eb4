import { replacedHashHmac } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { UserEntity } from '../entities/user.entity.js';
import type { AuditFindingHandler } from './audit-finding.js';
import { listTenantIds } from './verify-audit.js';

const PAGE_ROWS = 1_000;

/** The end of one user's chain. `head` is hex. */
export interface ChainHead {
  readonly tenantId: string;
  readonly userId: string;
  readonly seq: number;
  readonly head: string;
}

type HeadRow = Pick<UserEntity, 'user_id' | 'chain_seq'> & { head: string };

/** The chain heads of a tenant, or of all tenants. Stored elsewhere, they allow a later rewrite to be detected. */
export async function* readHeads(database: Database, onlyTenantId: string | null): AsyncGenerator<ChainHead> {
  for await (const tenantId of listTenantIds(database, onlyTenantId)) {
    let after = '';
    for (;;) {
      const rows: HeadRow[] = await database.readTenant(tenantId, (tx) =>
        tx.query(
          `SELECT user_id, chain_seq, encode(chain_head, 'hex') AS head FROM users
            WHERE user_id > $1 AND chain_head IS NOT NULL ORDER BY user_id LIMIT $2`,
          [after, PAGE_ROWS],
        ),
      );
      for (const row of rows) yield { tenantId, userId: row.user_id, seq: Number(row.chain_seq), head: row.head };
      after = rows.at(-1)?.user_id ?? after;
      if (rows.length < PAGE_ROWS) break;
    }
  }
}

/** Checks stored heads of one tenant: each must still be at its position in the chain. */
export async function compareHeads(
  database: Pick<Database, 'readTenant' | 'chainKey'>,
  tenantId: string,
  exported: readonly ChainHead[],
  report: AuditFindingHandler,
): Promise<void> {
  const rows = await database.readTenant(tenantId, (tx) =>
    tx.query<{ has_tenant: boolean; n: number; hash: string | null; is_same: boolean | null }>(
      // The user may have been erased since: then the history is under the pseudonym, and may have been rewritten.
      `SELECT EXISTS (SELECT FROM tenants) AS has_tenant, k.n, encode(h.hash, 'hex') AS hash,
              h.hash = decode(k.head, 'hex') OR h.replaced_hash = decode(k.replaced_hash, 'hex') AS is_same
         FROM json_to_recordset($1) AS k (n integer, user_id text, pseudonym text, seq bigint, head text,
                                          replaced_hash text)
         LEFT JOIN history h ON h.user_id IN (k.user_id, k.pseudonym) AND h.seq = k.seq
        ORDER BY k.n`,
      [
        JSON.stringify(
          exported.map(({ userId, seq, head }, n) => ({
            n,
            user_id: userId,
            pseudonym: tx.pseudonymOf(userId),
            seq,
            head,
            replaced_hash: replacedHashHmac(tx.chainKey, head),
          })),
        ),
      ],
    ),
  );
  if (rows.some((row) => !row.has_tenant)) {
    return report({ fault: 'unknown_tenant', tenantId, userId: null, seq: null });
  }
  for (const { n, hash, is_same: isSame } of rows) {
    const { userId, seq } = exported[n]!;
    if (hash === null) report({ fault: 'truncated', tenantId, userId, seq });
    else if (isSame !== true) report({ fault: 'rewritten', tenantId, userId, seq });
  }
}
