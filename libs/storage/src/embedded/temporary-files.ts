import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Of sorts and hashes that do not fit into memory: rows as they are, so also words. */
const SPILL_FOLDER = 'pgsql_tmp';
/** A file of a temporary table: the number of its session, and its own. */
const TEMPORARY_TABLE_FILE = /^t\d+_\d+/;

/**
 * Removes temporary files that a killed process has left in a database (`folder`: PGDATA), while none uses it. A server
 * of PostgreSQL does so when it starts, PGlite does not.
 */
export function removeTemporaryFiles(folder: string): void {
  const base = join(folder, 'base');
  if (!existsSync(base)) return;
  rmSync(join(base, SPILL_FOLDER), { recursive: true, force: true });
  for (const database of readdirSync(base, { withFileTypes: true })) {
    if (!database.isDirectory()) continue;
    for (const name of readdirSync(join(base, database.name))) {
      if (TEMPORARY_TABLE_FILE.test(name)) rmSync(join(base, database.name, name));
    }
  }
}
