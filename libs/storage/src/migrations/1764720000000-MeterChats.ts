import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from './sql/lock-tables.sql.js';
import { widenCheck } from './sql/widen-check.sql.js';

const OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
  'insights',
  'consolidation',
  'summary',
  'app_memory',
  'app_compaction',
  'chat',
];

/** Chat completions are calls of models, too (docs/chat.md#budgets). */
export class MeterChats1764720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['reservations', 'usage']));
    await runner.query(widenCheck('usage', 'operation', OPERATIONS));
    await runner.query(widenCheck('reservations', 'operation', OPERATIONS));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
