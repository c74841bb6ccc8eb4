import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LANGGRAPH_CHECKPOINTS } from './langgraph/checkpoints.sql.js';
import { LANGGRAPH_FUNCTIONS_SQL } from './langgraph/functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';

/** Threads of LangGraph with their checkpoints and the writes of their tasks (docs/reference/langgraph.md). */
export class AddLangGraphCheckpoints1764730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['tenants', 'users']));
    await runner.query(LANGGRAPH_CHECKPOINTS.tables);
    for (const statement of [
      ...forceTenantPolicies(LANGGRAPH_CHECKPOINTS.appPrivileges),
      ...grantToDefiner(LANGGRAPH_CHECKPOINTS.definerPrivileges!),
    ]) {
      await runner.query(statement);
    }
    await runner.query(LANGGRAPH_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
