import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ECHO_COLUMNS_SQL, ECHO_FUNCTIONS_SQL, ECHO_PRIVILEGES } from './echoes/echoes.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { grantToDefiner } from './sql/tenant-policies.sql.js';

// Of the next migrations too: all run in one transaction. Every writer locks a user first.
const LOCKED_TABLES = ['users', 'messages', 'memories', 'relations', 'tenants', 'file_scrubs'];

/** Which turns repeat a memory that has ended or was deleted. */
export class NoteEchoes1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(LOCKED_TABLES));
    await runner.query(ECHO_COLUMNS_SQL);
    await runner.query(grantToDefiner(ECHO_PRIVILEGES).join(';\n'));
    await runner.query(ECHO_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
