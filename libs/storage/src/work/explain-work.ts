import type { WorkKind } from '@annals/contracts';
import type { Database } from '../database/database.js';

/** How many rows of one kind wait or have failed for one reason, over all tenants. */
export interface WorkReason {
  readonly kind: WorkKind;
  readonly state: 'deferred' | 'failed';
  /** A stable code. */
  readonly code: string;
  readonly rows: number;
}

/** As for `measureWork`: no more rows of a state are counted. */
const COUNTED_AT_MOST = 100_000;

/** Why work of all tenants is deferred or has failed, batches included, most frequent first within a kind and state. */
export async function explainWork(database: Database): Promise<WorkReason[]> {
  const rows = await database.callAcrossTenants<
    Omit<WorkReason, 'rows' | 'code'> & { code: string | null; rows: string }
  >('explain_work', [COUNTED_AT_MOST]);
  return rows.map(({ code, ...row }) => ({ ...row, code: code ?? 'unknown', rows: Number(row.rows) }));
}
