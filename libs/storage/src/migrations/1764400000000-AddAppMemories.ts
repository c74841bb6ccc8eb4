import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_MEMORIES } from './apps/app-memories.sql.js';
import { APP_FUNCTIONS_SQL } from './apps/functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';

// In the order in which writers lock them; the tables of the migrations that follow in the same transaction as well.
const LOCKED_TABLES = [
  'tenants',
  'users',
  'conversations',
  'work',
  'memories',
  'insight_grounds',
  'consolidation_fingerprints',
  'reservations',
  'usage',
  'mind_watermarks',
  'energy_usage',
  'mind_runs',
];

/** Apps and their memories, with work, runs and calls that are about them (docs/reference/app-memories.md). */
export class AddAppMemories1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(LOCKED_TABLES));
    await runner.query(APP_MEMORIES.tables);
    for (const statement of [
      ...forceTenantPolicies(APP_MEMORIES.appPrivileges),
      ...grantToDefiner(APP_MEMORIES.definerPrivileges!),
    ]) {
      await runner.query(statement);
    }
    await runner.query(APP_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
