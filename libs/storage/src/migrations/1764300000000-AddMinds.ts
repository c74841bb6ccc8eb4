import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MIND_FUNCTIONS_SQL } from './minds/functions.sql.js';
import { MIND_PARTS } from './minds/parts.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';

// In the order in which writers lock them.
const LOCKED_TABLES = [
  'tenants',
  'users',
  'conversations',
  'batches',
  'work',
  'messages',
  'memories',
  'memory_access',
  'history',
  'change_log',
  'reservations',
  'usage',
];

/** The minds: energy, runs, consolidation, summaries, insights (docs/reference/minds.md). */
export class AddMinds1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(LOCKED_TABLES));
    for (const { tables, appPrivileges, appGrants = {}, definerPrivileges = {} } of MIND_PARTS) {
      if (tables !== '') await runner.query(tables);
      for (const statement of [
        ...forceTenantPolicies(appPrivileges),
        ...Object.entries(appGrants).map(([table, granted]) => `GRANT ${granted} ON annals.${table} TO annals_app`),
        ...grantToDefiner(definerPrivileges),
      ]) {
        await runner.query(statement);
      }
    }
    await runner.query(MIND_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
