import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { DeletionEntity } from '../entities/deletion.entity.js';

/** An entry of the list of deletions. */
export interface Deletion {
  /** Its place in the list, from 1. */
  readonly seq: number;
  readonly id: string;
  readonly tenantId: string;
  /** A `DeletionKind`, or one of a later release. */
  readonly kind: string;
  readonly subject: string;
  /** Epoch ms. */
  readonly deletedAt: number;
}

type DeletionRow = Pick<DeletionEntity, 'seq' | 'id' | 'of_tenant' | 'kind' | 'subject' | 'deleted_at'>;

const NUMBERED_AT_ONCE = 5_000;

/** Gives what was committed since then its place in the list. Returns the last place. */
export async function numberDeletions(database: Database): Promise<number> {
  for (let before = -1; ;) {
    const last = Number(await database.callScalarAcrossTenants<string>('number_deletions', [NUMBERED_AT_ONCE]));
    if (last - Math.max(before, 0) < NUMBERED_AT_ONCE) return last;
    before = last;
  }
}

/** The entries behind a place, in their order; those without a place are left out. */
export async function listDeletions(database: Database, after: number, limit: number): Promise<Deletion[]> {
  const rows = await database.callAcrossTenants<DeletionRow>('list_deletions', [after, limit]);
  return rows.map((row) => ({
    seq: Number(row.seq),
    id: row.id,
    tenantId: row.of_tenant,
    kind: row.kind,
    subject: row.subject,
    deletedAt: row.deleted_at.getTime(),
  }));
}

/** The places of those of the entries that the database has; null for one without a place. */
export async function findDeletions(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await database.callAcrossTenants<Pick<DeletionEntity, 'id' | 'seq'>>('find_deletions', [ids]);
  return new Map(rows.map(({ id, seq }) => [id, seq === null ? null : Number(seq)]));
}

/** Stores an entry of the list in its place. */
export async function keepDeletion(tx: Tx, deletion: Deletion): Promise<void> {
  const { id, seq, tenantId, kind, subject, deletedAt } = deletion;
  await tx.query('SELECT keep_deletion($1, $2, $3, $4, $5, $6)', [
    id,
    seq,
    tenantId,
    kind,
    subject,
    new Date(deletedAt),
  ]);
}
