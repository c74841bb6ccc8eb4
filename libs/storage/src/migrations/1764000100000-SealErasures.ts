import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEALING_FUNCTIONS_SQL, SEALING_PRIVILEGES } from './sealing/functions.sql.js';
import { SCRUB_TRIGGERS_SQL, SEALING_TABLES_SQL } from './sealing/tables.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { grantToDefiner } from './sql/tenant-policies.sql.js';

/** Histories without user ids, HMACs of what is served, and requests to rewrite files after a deletion. */
export class SealErasures1764000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'conversations', 'memories', 'history', 'erasure_receipts', 'tenants']));
    await runner.query(SEALING_TABLES_SQL);
    await runner.query(grantToDefiner(SEALING_PRIVILEGES).join(';\n'));
    await runner.query(SEALING_FUNCTIONS_SQL);
    await runner.query(SCRUB_TRIGGERS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
