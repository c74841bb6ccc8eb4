import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EXPLAIN_WORK_SQL } from './work/explain-work.sql.js';

/** What the queue UI asks across tenants: why work waits or has failed, and whether an operator's key is still valid. */
export class ExplainWork1764500410000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(EXPLAIN_WORK_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
