import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';
import { WEBHOOK_TRIGGERS_SQL } from './webhooks/events.sql.js';
import { WEBHOOK_FUNCTIONS_SQL } from './webhooks/functions.sql.js';
import { WEBHOOK_APP_PRIVILEGES, WEBHOOK_DEFINER_PRIVILEGES, WEBHOOK_TABLES_SQL } from './webhooks/tables.sql.js';

/** Endpoints of tenants, and what they are to be told of each user, in order (docs/reference/webhooks.md). */
export class AddWebhooks1764760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['tenants', 'users', 'batches', 'mind_runs', 'history', 'budget_alerts']));
    await runner.query(WEBHOOK_TABLES_SQL);
    for (const statement of [
      ...forceTenantPolicies(WEBHOOK_APP_PRIVILEGES),
      ...grantToDefiner(WEBHOOK_DEFINER_PRIVILEGES),
    ]) {
      await runner.query(statement);
    }
    await runner.query(WEBHOOK_FUNCTIONS_SQL);
    await runner.query(WEBHOOK_TRIGGERS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
