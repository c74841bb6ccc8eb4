import type { MigrationInterface, QueryRunner } from 'typeorm';
import { METERING_FUNCTIONS_SQL } from './metering/functions.sql.js';
import { METERING_POLICIES_SQL } from './metering/policies.sql.js';
import { METERING_TABLES_SQL } from './metering/tables.sql.js';

/** Money and patience of the model layer: reservations, budgets, outcomes of calls, deferral and priority. */
export class MeterModelCalls1763776800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(METERING_TABLES_SQL);
    await runner.query(METERING_POLICIES_SQL);
    await runner.query(METERING_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
