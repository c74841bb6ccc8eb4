import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';
import { MEASURE_WORK_SQL } from './work/measure-work.sql.js';

/** What is due and since when, by kind of work, at a cost that does not follow the length of the queue. */
export class MeasureWork1764500400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'work']));
    await runner.query(MEASURE_WORK_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
