import type { Database } from '../database/database.js';

/** Identifies an operator's key. `tenantId` is null for one that belongs to no tenant. */
export interface OperatorKeyRef {
  readonly tenantId: string | null;
  readonly keyId: string;
}

/** Whether the key is an operator's, not revoked, and not expired at `now` (epoch ms). */
export async function isOperatorKeyValid(
  database: Database,
  { tenantId, keyId }: OperatorKeyRef,
  now: number,
): Promise<boolean> {
  const [key] = await database.callAcrossTenants<{ expires_at: Date | null }>('find_operator_key', [tenantId, keyId]);
  return key !== undefined && (key.expires_at === null || key.expires_at.getTime() > now);
}
