import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';
import { WORK_FUNCTIONS_SQL } from './work/functions.sql.js';
import { WORK_TABLES_SQL } from './work/tables.sql.js';

/** The outbox becomes a table of work of any kind about any subject (docs/reference/work.md). */
export class GeneralizeWork1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'batches', 'outbox']));
    await runner.query(WORK_TABLES_SQL);
    await runner.query(WORK_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
