import type { Tx } from '@annals/storage';
import type { AdminQuery } from '../processes/annals-system.js';
import { APP_ROLE } from '../database/test-database.js';

/** Runs `work` as a service would: under the services' role and as one tenant. Nothing it changes is kept. */
export async function asTenant<T>(query: AdminQuery, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  await query('BEGIN');
  try {
    await query(`SET LOCAL ROLE ${APP_ROLE}`);
    await query(`SELECT set_config('annals.tenant', $1, true)`, [tenantId]);
    return await work({
      tenantId,
      query: (sql, parameters) => query(sql, parameters),
      execute: async (sql, parameters) => (await query(sql, parameters)).length,
      // There is no commit to leave anything to.
      atCommit: () => undefined,
    });
  } finally {
    await query('ROLLBACK');
  }
}
