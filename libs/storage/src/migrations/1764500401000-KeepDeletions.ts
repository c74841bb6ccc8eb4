import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELETION_FUNCTIONS_SQL, DELETION_PRIVILEGES } from './deletions/functions.sql.js';
import { DELETION_TRIGGERS_SQL, DELETIONS_TABLES_SQL } from './deletions/tables.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { grantToDefiner } from './sql/tenant-policies.sql.js';

/** What was deleted on request is listed, so that a restored backup does not bring it back. */
export class KeepDeletions1764500401000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'memories', 'api_keys', 'erasure_receipts']));
    await runner.query(DELETIONS_TABLES_SQL);
    for (const statement of grantToDefiner(DELETION_PRIVILEGES)) await runner.query(statement);
    await runner.query(DELETION_FUNCTIONS_SQL);
    await runner.query(DELETION_TRIGGERS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
