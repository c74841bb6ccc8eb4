import { type Clock, type IdGenerator, readSystemRandomBytes } from '@annals/domain';
import { createKeyText } from '@annals/gateway';
import { type Database, DEFAULT_TENANT, ensureBootstrapKey, ensureTenant, listApiKeys } from '@annals/storage';
import { readSecret, writeSecret } from '../data-folder/secret-file.js';

export type FirstKey =
  | { readonly from: 'environment' }
  | { readonly from: 'file'; readonly file: string }
  /** Created at this start: the only time it is shown. */
  | { readonly from: 'new'; readonly file: string; readonly text: string };

export interface FirstKeyDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/**
 * Ensures that tenant `default` has a key with all scopes, operator included, since the person who starts the process
 * owns it. A key from the environment (`given`) is made valid at every start, revoked or not; the one in `file` is
 * created once, and stays revoked if it was revoked.
 */
export async function ensureFirstKey(
  deps: FirstKeyDependencies,
  given: string | undefined,
  file: string,
): Promise<FirstKey> {
  if (given !== undefined) {
    await makeValid(deps, given);
    return { from: 'environment' };
  }
  const existing = readSecret(file);
  if (existing === undefined) {
    const text = createKeyText(readSystemRandomBytes);
    // Added to the database before it is written: a key in the file is valid, however this start ends.
    await makeValid(deps, text);
    writeSecret(file, text);
    return { from: 'new', file, text };
  }
  if (await hasNoKey(deps)) await makeValid(deps, existing);
  return { from: 'file', file };
}

async function makeValid({ database, clock, ids }: FirstKeyDependencies, text: string): Promise<void> {
  await ensureBootstrapKey(database, { text, now: clock.now(), ids, operator: true, ifRevoked: 'renew' });
}

/** True for a new database beside the key file of an older one. */
async function hasNoKey({ database, clock, ids }: FirstKeyDependencies): Promise<boolean> {
  const tenantId = await ensureTenant(database, DEFAULT_TENANT, { ids, now: clock.now() });
  const { items } = await database.inTenant(tenantId, (tx) => listApiKeys(tx, { limit: 1 }));
  return items.length === 0;
}
