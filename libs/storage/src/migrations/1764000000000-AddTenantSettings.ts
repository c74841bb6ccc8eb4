import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createFunctions } from './sql/definer-functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';

/**
 * What a tenant has of its own for redaction. The salt is made at its first use, so that tenants of earlier releases, and
 * those that one creates during the upgrade, get one too.
 */
export class AddTenantSettings1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(LOCKED_TABLES));
    await runner.query(TABLES_SQL);
    await runner.query(FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}

// Of the next migration too: both run in one transaction.
const LOCKED_TABLES = ['users', 'conversations', 'memories', 'history', 'erasure_receipts', 'tenants'];

const TABLES_SQL = /* sql */ `
ALTER TABLE annals.tenants
  ADD COLUMN default_country text,
  ADD COLUMN personal_ids text CONSTRAINT tenants_personal_ids_check CHECK (personal_ids IN ('keep', 'hash', 'refuse')),
  ADD COLUMN pseudonym_salt uuid,
  ADD COLUMN pseudonym_check text;
GRANT UPDATE (default_country, personal_ids, pseudonym_salt, pseudonym_check) ON annals.tenants TO annals_app
`;

const FUNCTIONS_SQL = [
  'DROP FUNCTION annals.list_tenants',
  createFunctions([
    {
      signature: 'list_tenants(after uuid, max_rows integer)',
      body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, name text, created_at timestamptz, default_country text, personal_ids text)
      LANGUAGE sql STABLE AS $$
        SELECT t.tenant_id, t.name, t.created_at, t.default_country, t.personal_ids FROM annals.tenants t
         WHERE after IS NULL OR t.tenant_id > after ORDER BY t.tenant_id LIMIT max_rows
      $$`,
    },
  ]),
].join(';\n');
