import { toParameters, type Tx } from '@annals/storage';
import type { AdminQuery } from '../processes/annals-system.js';
import { APP_ROLE } from '../database/test-database.js';

/** Runs `work` like a service: with the services' role and as one tenant. Its changes are rolled back. */
export async function asTenant<T>(query: AdminQuery, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  await query('BEGIN');
  try {
    await query(`SET LOCAL ROLE ${APP_ROLE}`);
    await query(`SELECT set_config('annals.tenant', $1, true)`, [tenantId]);
    return await work({
      tenantId,
      asksMinds: false,
      get chainKey(): never {
        throw new Error('The connection of a test has no chain key: use a Database.');
      },
      pseudonymOf: () => {
        throw new Error('The connection of a test has no chain key: use a Database.');
      },
      query: (sql, parameters) => query(sql, parameters),
      execute: async (sql, parameters) => (await query(sql, parameters)).length,
      each: <Returned>(statement: { sql: string }, given: object) =>
        query<Returned & object>(statement.sql, toParameters([given])),
      // The transaction is never committed.
      atCommit: () => undefined,
      allowBulk: () => undefined,
      repository: () => {
        throw new Error('The connection of a test has no entities: use SQL.');
      },
    });
  } finally {
    await query('ROLLBACK');
  }
}
