import { createHash } from 'node:crypto';
import { type ApiKey, KEY_SCOPES } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { dataSourceOptions, type PgConnection, withDataSource } from '../database/connection.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { ApiKeyEntity, OperatorKeyEntity } from '../entities/api-key.entity.js';
import { DEFAULT_TENANT, ensureTenant } from '../tenants/tenants.js';
import { createApiKey, findApiKey } from './api-keys.js';

/** Identifies a key in lists, without any of its secret part. */
const PREFIX_LENGTH = 8;

/** SHA-256 of a key's text: what is stored and looked up. Keys are random, so no slow hash is needed. */
export function hashApiKey(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** The beginning of a key's text, by which it can be recognised. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, PREFIX_LENGTH);
}

/** A key whose text is configured by the installation's operator. */
export interface ProvisionedKey {
  readonly text: string;
  /** Epoch ms. */
  readonly now: number;
  readonly ids: IdGenerator;
}

export interface FullAccessKey extends Pick<ProvisionedKey, 'text' | 'now'> {
  readonly id: string;
  readonly name: string;
  readonly operator: boolean;
  /** Epoch ms; null: never, as by default. */
  readonly expiresAt?: number | null;
}

/** Creates a key with every scope of the transaction's tenant, without restrictions. */
export function createFullAccessKey(
  tx: Tx,
  { id, name, text, operator, expiresAt = null, now }: FullAccessKey,
): Promise<ApiKey> {
  return createApiKey(tx, {
    id,
    name,
    keyHash: hashApiKey(text),
    prefix: apiKeyPrefix(text),
    scopes: KEY_SCOPES,
    operator,
    agentId: null,
    userId: null,
    categories: null,
    expiresAt,
    now,
  });
}

export interface BootstrapKey extends ProvisionedKey {
  /** Adds the operator scope: for the embedded profile, where whoever starts the process owns it. */
  readonly operator: boolean;
  /** Handling of a revoked key: `renew` makes it valid again, `leave` does not. */
  readonly ifRevoked: 'renew' | 'leave';
}

/** Creates a key of every scope and the tenant `default` where missing. Not `isValid`: it was and stays revoked. */
export async function ensureBootstrapKey(
  database: Database,
  key: BootstrapKey,
): Promise<{ readonly tenantId: string; readonly isValid: boolean }> {
  const tenantId = await ensureTenant(database, DEFAULT_TENANT, key);
  const keyHash = hashApiKey(key.text);
  if (await findApiKey(database, keyHash)) return { tenantId, isValid: true };
  const isValid = await database.inTenant(tenantId, async (tx) => {
    // Of two concurrent starts, the second must see the key of the first: of a key inserted twice, a revocation would
    // revoke one row only.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`bootstrap key ${tenantId}`]);
    const known = await findOwnKey(tx, keyHash);
    if (known === 'valid') return true;
    if (known === 'revoked' && key.ifRevoked === 'leave') return false;
    await createFullAccessKey(tx, { ...key, id: key.ids.next(), name: 'bootstrap' });
    return true;
  });
  return { tenantId, isValid };
}

async function findOwnKey(tx: Tx, keyHash: Buffer): Promise<'valid' | 'revoked' | null> {
  const keys = await tx.repository(ApiKeyEntity).findBy({ key_hash: keyHash });
  if (keys.length === 0) return null;
  return keys.every((key) => key.revoked_at !== null) ? 'revoked' : 'valid';
}

/** Creates an operator key; false when it was revoked and remains so. Needs an owner's connection. */
export async function ensureOperatorKey(connection: PgConnection, key: ProvisionedKey): Promise<boolean> {
  const keyHash = hashApiKey(key.text);
  const options = { ...dataSourceOptions({ ...connection, poolSize: 1 }), entities: [OperatorKeyEntity] };
  return withDataSource(options, async (source) => {
    const keys = source.getRepository(OperatorKeyEntity);
    const row = { id: key.ids.next(), name: 'given', key_hash: keyHash, created_at: new Date(key.now) };
    await keys.createQueryBuilder().insert().values(row).orIgnore().execute();
    return (await keys.findOneByOrFail({ key_hash: keyHash })).revoked_at === null;
  });
}
