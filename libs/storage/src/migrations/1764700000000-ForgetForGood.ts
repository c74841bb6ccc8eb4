import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FORGETTING_FUNCTIONS_SQL, FORGETTING_PRIVILEGES } from './forgetting/functions.sql.js';
import { FORGETTING_TABLES_SQL } from './forgetting/tables.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { grantToDefiner } from './sql/tenant-policies.sql.js';

/** What somebody asks to forget is deleted for good, and one-time data by itself (docs/reference/forgetting.md). */
export class ForgetForGood1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'messages', 'memories']));
    await runner.query(FORGETTING_TABLES_SQL);
    for (const statement of grantToDefiner(FORGETTING_PRIVILEGES)) await runner.query(statement);
    await runner.query(FORGETTING_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
