import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LANGGRAPH_STORE_FUNCTIONS_SQL } from './langgraph/store-functions.sql.js';
import { LANGGRAPH_STORE } from './langgraph/store-items.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';

/** Items of LangGraph's store with their vectors (docs/reference/langgraph-store.md). */
export class AddLangGraphStore1764740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['tenants', 'users']));
    await runner.query(LANGGRAPH_STORE.tables);
    for (const statement of [
      ...forceTenantPolicies(LANGGRAPH_STORE.appPrivileges),
      ...grantToDefiner(LANGGRAPH_STORE.definerPrivileges!),
    ]) {
      await runner.query(statement);
    }
    await runner.query(LANGGRAPH_STORE_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
