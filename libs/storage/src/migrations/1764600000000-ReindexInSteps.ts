import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';

const COLUMNS_SQL = /* sql */ `
ALTER TABLE annals.users
  -- While the index is rebuilt in steps: units below this number are of an earlier analyser.
  ADD COLUMN reindex_below integer,
  -- Up to which memory those were added that were in no index. Null: none was yet.
  ADD COLUMN reindex_after uuid;
-- The unit's number before a rebuild in steps came to it. Its postings under it are removed by the last steps, or with it.
ALTER TABLE annals.lexical_units ADD COLUMN former_unit integer`;

/** The index of a user with very many memories and turns is rebuilt in steps, between which other writes go on. */
export class ReindexInSteps1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users', 'lexical_units']));
    await runner.query(COLUMNS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
