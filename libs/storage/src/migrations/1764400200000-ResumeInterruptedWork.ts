import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INTERRUPTED_WORK_SQL } from './minds/interrupted-work.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';

/** Work whose worker died is due at once, also when it was asked for again for a later time meanwhile. */
export class ResumeInterruptedWork1764400200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['work']));
    await runner.query(INTERRUPTED_WORK_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
