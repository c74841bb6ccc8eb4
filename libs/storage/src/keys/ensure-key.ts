import { createHash } from 'node:crypto';
import { KEY_SCOPES } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import type { PgConnection } from '../database/connection.js';
import type { Database } from '../database/database.js';
import { withOwner } from '../database/owner.js';
import { DEFAULT_TENANT, ensureTenant } from '../tenants/tenants.js';
import { createApiKey, findApiKey } from './api-keys.js';

/** What tells keys apart in lists, and nothing of their secret part. */
const PREFIX_LENGTH = 8;

/** SHA-256 of a key's text: what is stored and looked up. Keys are random, so no slow hash is needed. */
export function hashApiKey(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** The beginning of a key's text, to recognise it by. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, PREFIX_LENGTH);
}

/** A key whose text was chosen by whoever installs Annals. */
export interface GivenKey {
  readonly text: string;
  /** Epoch ms. */
  readonly now: number;
  readonly ids: IdGenerator;
}

/**
 * Makes a key with every tenant scope valid for the tenant `default`, which is made when it does not exist. `operator`
 * adds the operator's scope: for the embedded profile, where whoever starts the process owns it. Answers the tenant.
 */
export async function ensureBootstrapKey(
  database: Database,
  key: GivenKey & { readonly operator: boolean },
): Promise<string> {
  const tenantId = await ensureTenant(database, DEFAULT_TENANT, key);
  const keyHash = hashApiKey(key.text);
  if (await findApiKey(database, keyHash)) return tenantId;
  await database.inTenant(tenantId, (tx) =>
    createApiKey(tx, {
      id: key.ids.next(),
      name: 'bootstrap',
      keyHash,
      prefix: apiKeyPrefix(key.text),
      scopes: KEY_SCOPES,
      operator: key.operator,
      agentId: null,
      userId: null,
      categories: null,
      expiresAt: null,
      now: key.now,
    }),
  );
  return tenantId;
}

/** Makes an operator's key valid, also one that had been revoked. Needs an owner's connection. */
export async function ensureOperatorKey(connection: PgConnection, key: GivenKey): Promise<void> {
  await withOwner(connection, (query) =>
    query(
      `INSERT INTO operator_keys (id, name, key_hash, created_at) VALUES ($1, 'given', $2, $3)
       ON CONFLICT (key_hash) DO UPDATE SET revoked_at = NULL`,
      [key.ids.next(), hashApiKey(key.text), new Date(key.now)],
    ),
  );
}
