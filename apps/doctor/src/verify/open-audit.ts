import { type Environment, loadConfig } from '@annals/config';
import { deriveSecrets } from '@annals/runtime';
import {
  Database,
  DataFolderInUseError,
  DatabaseUnavailableError,
  type ListKeys,
  openEmbeddedDatabase,
  sqlState,
} from '@annals/storage';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { detectProfile } from '../load-settings.js';
import { readStoredSecret } from '../read-stored-secret.js';

/** Why nothing can be verified, as a sentence that says what to do. */
export class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError';
}

/** What verification needs: the database with the role of the services, one tenant at a time, and the signing keys. */
export interface OpenAudit {
  readonly database: Database;
  /** Signatures by any of them are valid; the first one signs. */
  readonly keys: ListKeys;
  close(): Promise<void>;
}

/** SQLSTATE of a missing table, column, function and schema. */
const NOT_MIGRATED = ['42P01', '42703', '42883', '3F000'];

/** Whether the schema is older than this version. */
export function isNotMigrated(error: unknown): boolean {
  return NOT_MIGRATED.includes(sqlState(error) ?? '');
}

const CONNECTION = { role: 'annals_app', poolSize: 1, applicationName: 'annals-verify' } as const;

/** Opens the database of the configured profile. Throws AuditUnavailableError, and ConfigError. */
export async function openAudit(env: Environment): Promise<OpenAudit> {
  try {
    return await (detectProfile(env) === 'embedded' ? openFolder(env) : openServer(env));
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) {
      throw new AuditUnavailableError(
        'PostgreSQL does not answer: check ANNALS_DATABASE_URL, and that the server runs.',
      );
    }
    if (error instanceof DataFolderInUseError) {
      throw new AuditUnavailableError('The database is in use by a running Annals: stop it, then try again.');
    }
    throw error;
  }
}

async function openServer(env: Environment): Promise<OpenAudit> {
  const { database: address, secrets } = loadConfig(['database', 'secrets'], env);
  const { auditKeys: keys, chain: chainKey } = deriveSecrets(secrets);
  const database = await Database.open({ ...CONNECTION, chainKey, url: address.url });
  return { database, keys, close: () => database.close() };
}

async function openFolder(env: Environment): Promise<OpenAudit> {
  const { embedded } = loadConfig(['embedded'], env);
  const folder = resolve(embedded.dataDir);
  const secretKey = embedded.secretKey ?? readStoredSecret(folder);
  if (secretKey === null || !existsSync(join(folder, 'database'))) {
    throw new AuditUnavailableError(`There is no database in ${folder} yet: check ANNALS_DATA_DIR.`);
  }
  const opened = await openEmbeddedDatabase({ location: { folder } });
  const { auditKeys: keys, chain: chainKey } = deriveSecrets({ ...embedded, secretKey });
  const database = await Database.open({ ...CONNECTION, chainKey, stream: opened.createStream });
  const close = async () => {
    await database.close();
    await opened.close();
  };
  return { database, keys, close };
}
