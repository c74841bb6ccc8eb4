import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS_SQL } from './initial/functions.sql.js';
import { POLICIES_SQL } from './initial/policies.sql.js';
import { ROLES_SQL } from './initial/roles.sql.js';
import { TABLES_SQL } from './initial/tables.sql.js';

export class CreateAnnals1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ROLES_SQL);
    await runner.query(TABLES_SQL);
    await runner.query(POLICIES_SQL);
    await runner.query(FUNCTIONS_SQL);
  }

  // Going back would delete everyone's memory: restore a backup instead (CONTRIBUTING.md, migrations go forward).
  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
