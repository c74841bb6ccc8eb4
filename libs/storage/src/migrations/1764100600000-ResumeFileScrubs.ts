import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';

/** How far the rewriting of the embedded database's files has come, so that the next process goes on there. */
export class ResumeFileScrubs1764100600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['file_scrubs']));
    await runner.query('ALTER TABLE annals.file_scrubs ADD COLUMN rewritten_to text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
