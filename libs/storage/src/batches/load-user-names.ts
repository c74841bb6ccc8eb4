import type { Tx } from '../database/transaction.js';

/** The names that the user of a batch has consented to (docs/reference/speakers.md#the-user): none or one. */
export async function loadUserNames(tx: Tx, batchId: string): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(
    `SELECT c.fields -> 'preferred_name' ->> 'value' AS name
       FROM batches b JOIN user_contexts c ON c.tenant_id = b.tenant_id AND c.user_id = b.user_id
      WHERE b.id = $1 AND c.fields -> 'preferred_name' ->> 'value' IS NOT NULL`,
    [batchId],
  );
  return rows.map(({ name }) => name);
}
