import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';

/** A user's memories by category: every query reads those of the categories in mode `all`, and no others. */
export class IndexCategories1764100200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['memories']));
    await runner.query(
      `CREATE INDEX memories_by_category ON annals.memories (tenant_id, user_id, category) WHERE state = 'active'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
