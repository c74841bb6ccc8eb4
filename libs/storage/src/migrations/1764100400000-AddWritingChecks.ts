import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createFunctions } from './sql/definer-functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';

/** What happens to manual memories that violate a writing constraint, for each tenant. */
export class AddWritingChecks1764100400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['tenants']));
    await runner.query(TABLES_SQL);
    await runner.query(FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}

const TABLES_SQL = /* sql */ `
ALTER TABLE annals.tenants
  ADD COLUMN writing_checks text
    CONSTRAINT tenants_writing_checks_check CHECK (writing_checks IN ('off', 'warn', 'refuse'));
GRANT UPDATE (writing_checks) ON annals.tenants TO annals_app
`;

const FUNCTIONS_SQL = [
  'DROP FUNCTION annals.list_tenants',
  createFunctions([
    {
      signature: 'list_tenants(after uuid, max_rows integer)',
      body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, name text, created_at timestamptz, default_country text, personal_ids text, writing_checks text)
      LANGUAGE sql STABLE AS $$
        SELECT t.tenant_id, t.name, t.created_at, t.default_country, t.personal_ids, t.writing_checks FROM annals.tenants t
         WHERE after IS NULL OR t.tenant_id > after ORDER BY t.tenant_id LIMIT max_rows
      $$`,
    },
  ]),
].join(';\n');
