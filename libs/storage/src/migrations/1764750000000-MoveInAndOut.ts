import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  DELETIONS_BY_SUBJECT,
  DRY_RUN_DEFINER_PRIVILEGES,
  DRY_RUN_PRIVILEGES,
  DRY_RUNS_SQL,
  END_DRY_RUNS_WITH_ERASURE,
  MOVING_FUNCTIONS_SQL,
} from './moving/functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';

/** Imports do not bring back what was deleted, and conversations are tried out (docs/reference/moving.md). */
export class MoveInAndOut1764750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['tenants', 'deletions', 'erasure_receipts']));
    await runner.query(DELETIONS_BY_SUBJECT);
    await runner.query(DRY_RUNS_SQL);
    for (const statement of [
      ...forceTenantPolicies(DRY_RUN_PRIVILEGES),
      ...grantToDefiner(DRY_RUN_DEFINER_PRIVILEGES),
    ]) {
      await runner.query(statement);
    }
    await runner.query(MOVING_FUNCTIONS_SQL);
    await runner.query(END_DRY_RUNS_WITH_ERASURE);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
