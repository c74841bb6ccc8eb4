import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELETIONS_BY_SUBJECT, MOVING_FUNCTIONS_SQL } from './moving/functions.sql.js';

/** Imports do not bring back what was deleted (docs/reference/moving.md). */
export class MoveInAndOut1764750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DELETIONS_BY_SUBJECT);
    await runner.query(MOVING_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
