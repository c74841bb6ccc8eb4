import { defineRead } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';

/** The names that the user of a batch has consented to (docs/reference/speakers.md#the-user): none or one. */
export async function loadUserNames(tx: Tx, batchId: string): Promise<readonly string[]> {
  return (await tx.each(NAMES, { batch_id: batchId })).map(({ name }) => name);
}

/** The same of a user by their id. */
export async function loadNamesOfUser(tx: Tx, userId: string): Promise<readonly string[]> {
  return (await tx.query<NameRow>(selectNamesSql('$1'), [userId])).map(({ name }) => name);
}

interface NameRow {
  readonly name: string;
}

const selectNamesSql = (userId: string) => `SELECT c.fields -> 'preferred_name' ->> 'value' AS name FROM user_contexts c
      WHERE c.user_id = ${userId} AND c.fields -> 'preferred_name' ->> 'value' IS NOT NULL OFFSET 0`;

const NAMES = defineRead<{ batch_id: string }, NameRow>(
  'batch_id uuid',
  selectNamesSql('(SELECT b.user_id FROM batches b WHERE b.id = given.batch_id)'),
);
