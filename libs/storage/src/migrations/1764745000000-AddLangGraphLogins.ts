import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  LANGGRAPH_LOGIN_FUNCTIONS_SQL,
  LANGGRAPH_LOGIN_PRIVILEGES,
  LANGGRAPH_LOGINS_SQL,
  SAVING_PRIVILEGES,
} from './langgraph/direct.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';

/** Saving checkpoints of LangGraph by a function, also for logins of one tenant (docs/reference/langgraph.md#saving-directly). */
export class AddLangGraphLogins1764745000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['tenants']));
    await runner.query(LANGGRAPH_LOGINS_SQL);
    for (const statement of [
      ...forceTenantPolicies(LANGGRAPH_LOGIN_PRIVILEGES),
      ...grantToDefiner(SAVING_PRIVILEGES),
    ]) {
      await runner.query(statement);
    }
    await runner.query(LANGGRAPH_LOGIN_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
