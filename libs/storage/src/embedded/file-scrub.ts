import { readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHub } from './embedded-hub.js';
import { readMemoryLimit, sortMemoryMb } from './sort-memory.js';
import { quoteLiteral } from './wire-messages.js';

/** A segment of the write-ahead log. */
const SEGMENT = /^[0-9A-F]{24}$/;
/** A file of a table or index: its number, a fork of it, a further gigabyte of it. */
const RELATION_FILE = /^(\d+)(?:_(?:fsm|vm|init))?(?:\.\d+)?$/;

/** Rewriting a table of this size takes a tenth of a second or more. */
const LARGE_TABLE_BYTES = 2 * 1024 * 1024;

const USER_TABLES = `SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;

/** The new files of a table, and as much of write-ahead log. */
const SPACE_FACTOR = 2;

export interface FileScrubOptions {
  /** Ends waiting for the transactions of others. */
  readonly signal?: AbortSignal;
  /** Free bytes of the file system of a folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Rewrites the files of an embedded database, so that they contain nothing but the rows that still exist
 * (docs/reference/privacy.md#erased-words-in-files). PostgreSQL itself leaves deleted rows in pages of tables, indexes
 * and TOAST, sampled values in the planner's statistics, and all of it in the write-ahead log. Each step holds the
 * database for as long as one table takes; other connections run in between. Safe to be killed at any point: the next run
 * goes on behind the last table that was rewritten.
 */
export class FileScrub {
  constructor(
    private readonly hub: EmbeddedHub,
    /** Of the database itself: PGDATA. */
    private readonly folder: string,
    private readonly options: FileScrubOptions = {},
  ) {}

  /** Whether there are requests that have not been carried out; not before the schema is that of this release. */
  async isRequested(): Promise<boolean> {
    const columns = await this.column(
      `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('annals.file_scrubs') AND attname = 'rewritten_to'`,
    );
    return columns.length > 0 && (await this.column('SELECT 1 FROM annals.file_scrubs LIMIT 1')).length > 0;
  }

  /**
   * Carries out the requests that there are now, or those of a run that was interrupted. `pause` is awaited before each
   * step, which may be a long one; it may throw to stop.
   */
  async run(pause: (isLong: boolean) => Promise<void>): Promise<void> {
    const rewrittenTo = await this.begin();
    const large = new Set(await this.column(`${USER_TABLES} AND pg_relation_size(c.oid) >= ${LARGE_TABLE_BYTES}`));
    const analyzed = await this.column(
      `${USER_TABLES} AND EXISTS (SELECT FROM pg_statistic s WHERE s.starelid = c.oid) ORDER BY 1`,
    );
    const tables = await this.column(
      `${USER_TABLES} AND pg_relation_size(c.oid) > 0 AND c.oid::regclass::text > ${quoteLiteral(rewrittenTo)} ORDER BY 1`,
    );
    const memoryMb = sortMemoryMb(readMemoryLimit());
    for (const table of tables) {
      await pause(large.has(table));
      if (large.has(table)) await this.assertSpace(table);
      await this.alone(async () => {
        // Until the next connection takes over. With the default of 64 MB, sorting the index of 300 000 postings goes by
        // way of files, which takes two to three times as long.
        await this.hub.execute(`SET maintenance_work_mem = '${memoryMb}MB'`);
        await this.hub.execute(`VACUUM FULL ${table}`);
        await this.hub.execute(
          `UPDATE annals.file_scrubs SET rewritten_to = ${quoteLiteral(table)}
            WHERE id = (SELECT id FROM annals.file_scrubs WHERE rewritten_to IS NOT NULL ORDER BY id LIMIT 1)`,
        );
      });
    }
    for (const table of analyzed) {
      await pause(false);
      // Not only sampled again, since an empty table would keep its statistics; one transaction, so that no table is left
      // without.
      const relation = `${quoteLiteral(table)}::regclass`;
      await this.sql(
        `DELETE FROM pg_statistic WHERE starelid = ${relation}
            OR starelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ${relation}); ANALYZE ${table}`,
      );
    }
    await pause(false);
    await this.sql('VACUUM FULL pg_catalog.pg_statistic');
    await pause(false);
    await this.alone(() => this.dropOldFiles());
    await this.sql('DELETE FROM annals.file_scrubs WHERE rewritten_to IS NOT NULL');
  }

  /** The table behind which to go on. */
  private async begin(): Promise<string> {
    const [rewrittenTo] = await this.column(
      'SELECT max(rewritten_to) FROM annals.file_scrubs HAVING max(rewritten_to) IS NOT NULL',
    );
    if (rewrittenTo !== undefined) return rewrittenTo;
    // Requests that come from now on wait for the next run: their words may be in tables that this one has rewritten.
    await this.sql(`UPDATE annals.file_scrubs SET rewritten_to = ''`);
    return '';
  }

  private async dropOldFiles(): Promise<void> {
    // The checkpoint removes all segments before the new one, and files of tables that were rewritten.
    await this.hub.execute('SELECT pg_switch_wal()');
    await this.hub.execute('CHECKPOINT');
    await this.removeReusedSegments();
    await this.removeOrphanedFiles();
  }

  /** Segments that an earlier release kept for later use, with all that was in them. */
  private async removeReusedSegments(): Promise<void> {
    const [[first, last]] = (await this.hub.execute(
      'SELECT redo_wal_file, pg_walfile_name(pg_current_wal_insert_lsn()) FROM pg_control_checkpoint()',
    )) as [[string, string]];
    const folder = join(this.folder, 'pg_wal');
    for (const name of await readdir(folder)) {
      if (SEGMENT.test(name) && (name < first || name > last)) await rm(join(folder, name));
    }
  }

  /** Files of tables whose rewriting was interrupted by the end of the process: no table refers to them. */
  private async removeOrphanedFiles(): Promise<void> {
    const [[database]] = (await this.hub.execute('SELECT oid FROM pg_database WHERE datname = current_database()')) as [
      [string],
    ];
    const rows = await this.hub.execute('SELECT DISTINCT pg_relation_filenode(oid) FROM pg_class');
    const known = new Set(rows.map(([number]) => number));
    const folder = join(this.folder, 'base', database);
    for (const name of await readdir(folder)) {
      const number = RELATION_FILE.exec(name)?.[1];
      if (number !== undefined && !known.has(number)) await rm(join(folder, name));
    }
  }

  private async assertSpace(table: string): Promise<void> {
    const [bytes] = await this.column(`SELECT pg_total_relation_size(${quoteLiteral(table)}::regclass)`);
    const needed = SPACE_FACTOR * Number(bytes);
    const free = await (this.options.freeBytes ?? readFreeBytes)(this.folder);
    if (free < needed) throw new Error(`Rewriting ${table} needs ${needed} bytes on disk, and ${free} are free.`);
  }

  private alone<T>(task: () => Promise<T>): Promise<T> {
    return this.hub.runAlone(task, this.options.signal);
  }

  private sql(sql: string): Promise<(string | null)[][]> {
    return this.hub.runSql(sql, this.options.signal);
  }

  private async column(sql: string): Promise<string[]> {
    return (await this.sql(sql)).map(([value]) => value!);
  }
}
