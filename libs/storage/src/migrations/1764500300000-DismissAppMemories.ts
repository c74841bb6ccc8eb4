import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';

const TABLES_SQL = /* sql */ `
-- Since when somebody does not want what the last run made of the subject: a deleted app memory
-- (docs/reference/app-memories.md#deleting-app-memories).
ALTER TABLE annals.mind_watermarks ADD COLUMN dismissed_at timestamptz`;

/** An app memory that a person deleted is not made again because a fact of its conversation is restored. */
export class DismissAppMemories1764500300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'mind_watermarks']));
    await runner.query(TABLES_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
