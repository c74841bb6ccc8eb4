import type { ApiKey } from '@annals/contracts';
import { LessThan } from 'typeorm';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import type { Nullable, Tx } from '../database/transaction.js';
import { ApiKeyEntity } from '../entities/api-key.entity.js';

/** What a key may do (docs/reference/api.md#key-scopes). `tenantId`: null for an operator's key. */
export interface KeyGrant {
  readonly keyId: string;
  readonly tenantId: string | null;
  readonly scopes: readonly string[];
  readonly operator: boolean;
  readonly agentId: string | null;
  readonly userId: string | null;
  readonly categories: readonly string[] | null;
  /** Epoch ms. */
  readonly expiresAt: number | null;
}

/** What the key with this SHA-256 grants, or null when there is none or it was revoked. */
export async function findApiKey(database: Database, hash: Buffer): Promise<KeyGrant | null> {
  const [row] = await database.callAcrossTenants<
    Nullable<Pick<ApiKeyEntity, 'tenant_id'>> &
      Pick<ApiKeyEntity, 'id' | 'scopes' | 'operator' | 'agent_id' | 'user_id' | 'categories' | 'expires_at'>
  >('find_api_key', [hash]);
  if (!row) return null;
  return {
    keyId: row.id,
    tenantId: row.tenant_id,
    scopes: row.scopes,
    operator: row.operator,
    agentId: row.agent_id,
    userId: row.user_id,
    categories: row.categories,
    expiresAt: row.expires_at?.getTime() ?? null,
  };
}

export interface NewApiKey extends Omit<KeyGrant, 'keyId' | 'tenantId'> {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key's text. The text itself is never stored. */
  readonly keyHash: Buffer;
  readonly prefix: string;
  readonly now: number;
}

type KeyRow = Omit<ApiKeyEntity, 'tenant_id' | 'key_hash'>;

export async function createApiKey(tx: Tx, key: NewApiKey): Promise<ApiKey> {
  const row = {
    id: key.id,
    name: key.name,
    key_hash: key.keyHash,
    prefix: key.prefix,
    scopes: [...key.scopes],
    operator: key.operator,
    agent_id: key.agentId,
    user_id: key.userId,
    categories: key.categories && [...key.categories],
    created_at: new Date(key.now),
    expires_at: key.expiresAt === null ? null : new Date(key.expiresAt),
    revoked_at: null,
  };
  await tx.repository(ApiKeyEntity).insert(row);
  return toApiKey(row);
}

/** The tenant's keys, newest first. Throws InvalidCursorError. */
export async function listApiKeys(tx: Tx, page: { limit: number; cursor?: string | undefined }) {
  const before = parseCursor(page.cursor, ['uuid']);
  const rows = await tx.repository(ApiKeyEntity).find({
    where: before ? { id: LessThan(String(before[0])) } : {},
    order: { id: 'DESC' },
    take: page.limit + 1,
  });
  return buildPage(rows, page.limit, toApiKey, (row) => [row.id]);
}

/** Revokes a key permanently; `isRepeated` when it was revoked already. Null when the tenant has no such key. */
export async function revokeApiKey(
  tx: Tx,
  id: string,
  now: number,
): Promise<{ readonly key: ApiKey; readonly isRepeated: boolean } | null> {
  const [row] = await tx.query<KeyRow & { was_revoked: boolean }>(
    `WITH before AS (SELECT id AS key_id, revoked_at IS NOT NULL AS was_revoked FROM api_keys WHERE id = $1 FOR UPDATE)
     UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) FROM before WHERE id = key_id
     RETURNING id, name, prefix, scopes, operator, agent_id, user_id, categories, created_at, expires_at, revoked_at,
               was_revoked`,
    [id, new Date(now)],
  );
  return row ? { key: toApiKey(row), isRepeated: row.was_revoked } : null;
}

/** Whom an exchanged key was for. */
export interface ExchangedKey {
  readonly id: string;
  readonly userId: string;
}

/**
 * Revokes the tenant's key with this hash if it has the scope, is bound to a user, is not over, and was not revoked: of
 * any number of callers at once, one gets it. Null for all others.
 */
export async function exchangeApiKey(
  tx: Tx,
  { hash, scope, now }: { readonly hash: Buffer; readonly scope: string; readonly now: number },
): Promise<ExchangedKey | null> {
  const [row] = await tx.query<{ id: string; user_id: string }>(
    `UPDATE api_keys SET revoked_at = $3
      WHERE key_hash = $1 AND scopes = ARRAY[$2] AND user_id IS NOT NULL AND revoked_at IS NULL AND expires_at > $3
      RETURNING id, user_id`,
    [hash, scope, new Date(now)],
  );
  return row ? { id: row.id, userId: row.user_id } : null;
}

/** Revokes all keys of the users that have one of the scopes and are not over yet. Returns their ids. */
export async function revokeKeysOfUsers(
  tx: Tx,
  {
    userIds,
    scopes,
    now,
  }: { readonly userIds: readonly string[]; readonly scopes: readonly string[]; readonly now: number },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `UPDATE api_keys SET revoked_at = $3
      WHERE user_id = ANY ($1) AND scopes && $2::text[] AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
      RETURNING id`,
    [[...userIds], [...scopes], new Date(now)],
  );
  return rows.map(({ id }) => id);
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.operator ? [...row.scopes, 'operator'] : row.scopes,
    agent_id: row.agent_id,
    user_id: row.user_id,
    categories: row.categories,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

/** The users that keys of the tenant are bound to, each once, as they were stored. */
export async function listBoundUsers(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ user_id: string }>(
    'SELECT DISTINCT user_id FROM api_keys WHERE user_id IS NOT NULL ORDER BY user_id',
  );
  return rows.map((row) => row.user_id);
}
