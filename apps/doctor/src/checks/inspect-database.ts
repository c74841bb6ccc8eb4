import type { Config } from '@annals/config';
import {
  DataFolderInUseError,
  DataFolderUnusableError,
  inspectDatabase,
  openEmbeddedDatabase,
  type PgConnection,
} from '@annals/storage';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, type Finding, ok } from '../report.js';
import { explainDatabaseFailure, evaluateDatabase } from './check-database.js';

/** Inspects the PostgreSQL server of ANNALS_DATABASE_URL. */
export async function inspectDatabaseServer({ database }: Config<'database'>): Promise<Finding[]> {
  try {
    return evaluateDatabase(await inspectDatabase({ url: database.url, applicationName: 'annals-doctor' }));
  } catch (error) {
    return [explainDatabaseFailure(error)];
  }
}

/** Inspects the database in the data folder, unless it does not exist yet or is in use. */
export async function inspectDataFolder({ embedded }: Config<'embedded'>): Promise<Finding[]> {
  const folder = resolve(embedded.dataDir);
  if (!existsSync(join(folder, 'database'))) {
    return [ok('database', `The data folder ${folder} will be created at the first start.`)];
  }
  try {
    const opened = await openEmbeddedDatabase({ location: { folder } });
    try {
      return [await evaluateOpenedDatabase({ stream: opened.createStream }, folder)];
    } finally {
      await opened.close();
    }
  } catch (error) {
    return [explainFolderFailure(error, folder)];
  }
}

async function evaluateOpenedDatabase(connection: PgConnection, folder: string): Promise<Finding> {
  const { serverVersion, missing } = await inspectDatabase(connection);
  const state = missing.length === 0 ? 'its schema is up to date' : 'the next start brings its schema up to date';
  return ok('database', `The database in ${folder} opens (PostgreSQL ${serverVersion}); ${state}.`);
}

function explainFolderFailure(error: unknown, folder: string): Finding {
  if (error instanceof DataFolderInUseError) {
    return ok('database', `The database in ${folder} is in use by a running Annals, so it was not inspected.`);
  }
  const reason = error instanceof DataFolderUnusableError ? error.message : `The database in ${folder} does not open.`;
  return fail('database', reason, 'Start Annals once to see why, or set ANNALS_DATA_DIR to another folder.');
}
