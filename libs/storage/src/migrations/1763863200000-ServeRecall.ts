import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECALL_FUNCTIONS_SQL } from './recall/functions.sql.js';
import { RECALL_PARTS } from './recall/parts.js';
import { RECALL_POLICIES_SQL } from './recall/policies.sql.js';

/** The memory system and its recall: index of words and vectors, decisions, lifecycle, consent, checkpoints, erasure. */
export class ServeRecall1763863200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { tables } of RECALL_PARTS) if (tables !== '') await runner.query(tables);
    if (RECALL_POLICIES_SQL !== '') await runner.query(RECALL_POLICIES_SQL);
    await runner.query(RECALL_FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
