import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';
import { forceTenantPolicies, grantToDefiner } from './sql/tenant-policies.sql.js';
import { VAULT_FUNCTIONS_SQL, VAULT_TRIGGERS_SQL } from './vault/functions.sql.js';
import { VAULT_APP_PRIVILEGES, VAULT_DEFINER_PRIVILEGES, VAULT_TABLES_SQL } from './vault/tables.sql.js';

/** Work of the vault, asked for wherever what it contains changes (docs/reference/vault.md). */
export class AddVault1764770000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      lockTables([
        'tenants',
        'users',
        'messages',
        'memory_sources',
        'summaries',
        'summary_sentences',
        'history',
        'erasure_receipts',
        'work',
      ]),
    );
    await runner.query(VAULT_TABLES_SQL);
    for (const statement of [
      ...forceTenantPolicies(VAULT_APP_PRIVILEGES),
      ...grantToDefiner(VAULT_DEFINER_PRIVILEGES),
    ]) {
      await runner.query(statement);
    }
    await runner.query(VAULT_FUNCTIONS_SQL);
    await runner.query(VAULT_TRIGGERS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
