import { userPseudonym } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { UserEntity } from '../entities/user.entity.js';
import { listTenantIds } from './verify-audit.js';

/** Users by the chain key that their history was begun with. */
export interface ChainKeyCount {
  /** How many users were compared. */
  readonly users: number;
  /** By the index of the key; users of none of them are in none of the counts. */
  readonly byKey: readonly number[];
}

/** How much is read at most: each tenant costs a round trip. */
export interface ChainKeySample {
  readonly tenants: number;
  readonly usersPerTenant: number;
}

/**
 * Compares the pseudonyms that users' rows record with those that the keys make, as each write does (`assertSameKey`).
 * Reads a sample of users, and writes nothing.
 */
export async function countByChainKey(
  database: Database,
  keys: readonly Uint8Array[],
  sample: ChainKeySample,
): Promise<ChainKeyCount> {
  const byKey = keys.map(() => 0);
  let tenants = 0;
  let users = 0;
  for await (const tenantId of listTenantIds(database, null)) {
    for (const { user_id, pseudonym } of await readPseudonyms(database, tenantId, sample.usersPerTenant)) {
      users += 1;
      const index = keys.findIndex((key) => userPseudonym(key, tenantId, user_id) === pseudonym);
      if (index >= 0) byKey[index]! += 1;
    }
    tenants += 1;
    if (tenants >= sample.tenants) break;
  }
  return { users, byKey };
}

/** An erased user's row is under the pseudonym itself, which shows no key; a row of an earlier release records none. */
function readPseudonyms(database: Database, tenantId: string, limit: number) {
  return database.readTenant(tenantId, (tx) =>
    tx.query<Pick<UserEntity, 'user_id' | 'pseudonym'>>(
      `SELECT user_id, pseudonym FROM users
        WHERE pseudonym IS NOT NULL AND user_id <> pseudonym ORDER BY user_id LIMIT $1`,
      [limit],
    ),
  );
}
