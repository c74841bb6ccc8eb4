import { openEmbeddedDatabase } from '@annals/storage';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fillDataFolder } from '../database/create-test-database.js';
import { AnnalsProcess, type Variables } from './annals-process.js';
import { type AdminQuery, type AnnalsSystem, inspectDatabase } from './annals-system.js';
import { createTestKey } from './test-secrets.js';

export interface StandaloneOptions {
  /** Default: a temporary folder with a migrated database, removed by `close`. */
  readonly dataDir?: string;
  readonly env?: Variables;
}

export interface StandaloneSystem extends AnnalsSystem {
  readonly profile: 'embedded';
  readonly dataDir: string;
  readonly process: AnnalsProcess;
}

/** Starts Annals as one process on a data folder. */
export async function startStandalone(options: StandaloneOptions = {}): Promise<StandaloneSystem> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'annals-e2e-'));
  const key = createTestKey('first');
  const env = {
    ANNALS_DATA_DIR: dataDir,
    ANNALS_BOOTSTRAP_KEY: key,
    ANNALS_LOG_LEVEL: 'debug',
    // A spec that is about minds switches them on.
    ANNALS_MINDS: 'off',
    ANNALS_MINDS_BUSY_PERCENT: '100',
    ...options.env,
  };
  const annals = await AnnalsProcess.prepare('standalone', env);
  const close = async (): Promise<void> => {
    await annals.kill9();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    if (options.dataDir === undefined) await fillDataFolder(dataDir);
    await annals.start();
  } catch (error) {
    await close();
    throw error;
  }
  const inspect = async <T>(work: (query: AdminQuery) => Promise<T>): Promise<T> => {
    await annals.stop();
    try {
      return await inspectFolder(dataDir, work);
    } finally {
      await annals.start();
    }
  };
  return {
    profile: 'embedded',
    dataDir,
    process: annals,
    processes: [annals],
    processesOf: () => [annals],
    nextUrl: () => annals.url,
    tenantKey: env.ANNALS_BOOTSTRAP_KEY,
    operatorKey: env.ANNALS_BOOTSTRAP_KEY,
    get logs() {
      return annals.output.text;
    },
    get lastLines() {
      return annals.output.tail;
    },
    inspect,
    dumpQueues: () => inspect(dumpQueueTables),
    close,
  };
}

async function inspectFolder<T>(folder: string, work: (query: AdminQuery) => Promise<T>): Promise<T> {
  const database = await openEmbeddedDatabase({ location: { folder } });
  try {
    return await inspectDatabase({ stream: database.createStream }, work);
  } finally {
    await database.close();
  }
}

/** The queues' own tables are in another schema of the same database. */
async function dumpQueueTables(query: AdminQuery): Promise<string> {
  const tables = await query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('annals', 'public', 'pg_catalog', 'information_schema')`,
  );
  const rows: object[] = [];
  for (const { name } of tables) rows.push(...(await query(`SELECT to_jsonb(t) AS row FROM ${name} t`)));
  return JSON.stringify(rows);
}
