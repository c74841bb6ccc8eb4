import type { Tx } from '../database/transaction.js';

/** The names that the user of a batch has consented to (docs/reference/speakers.md#the-user): none or one. */
export function loadUserNames(tx: Tx, batchId: string): Promise<readonly string[]> {
  return loadNames(tx, 'c.user_id = (SELECT b.user_id FROM batches b WHERE b.id = $1)', batchId);
}

/** The same of a user by their id. */
export function loadNamesOfUser(tx: Tx, userId: string): Promise<readonly string[]> {
  return loadNames(tx, 'c.user_id = $1', userId);
}

async function loadNames(tx: Tx, ofUser: string, parameter: string): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(
    `SELECT c.fields -> 'preferred_name' ->> 'value' AS name FROM user_contexts c
      WHERE ${ofUser} AND c.fields -> 'preferred_name' ->> 'value' IS NOT NULL`,
    [parameter],
  );
  return rows.map(({ name }) => name);
}
