import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';

/** Users in an order that does not depend on the collation of the database, which the index of a prefix needs. */
export class ListUsers1764780000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users']));
    await runner.query(
      `CREATE INDEX users_by_id ON annals.users (tenant_id, user_id COLLATE "C") WHERE erased_at IS NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
