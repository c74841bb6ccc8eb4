import type { Tx } from '../database/transaction.js';

/** What is known of a person before anything of theirs is read. */
export interface InsightSubject {
  readonly userId: string;
  /** Their own decision; null for the default of the installation. */
  readonly isOn: boolean | null;
  /** Names that they have consented to. */
  readonly names: readonly string[];
  /** Moves with each message that a run may read, and with each memory and deletion of theirs. */
  readonly watermark: string;
}

interface SubjectRow {
  readonly user_id: string;
  readonly chain_seq: string;
  readonly messages: string;
  readonly switch: string | null;
  readonly name: string | null;
}

/** Accepted, but no run may read them yet ({@link loadInsightSources}): a watermark with them would cover what no run saw. */
const UNINDEXED_MESSAGES_SQL = `SELECT count(*) FROM batches b JOIN messages g ON g.batch_id = b.id
                               WHERE b.user_id = u.user_id AND b.indexed_at IS NULL`;

/** The person that work of kind `insights` is about; null when they were erased. */
export async function readInsightSubject(tx: Tx, subjectId: string): Promise<InsightSubject | null> {
  const [row] = await tx.query<SubjectRow>(
    `SELECT u.user_id, u.chain_seq,
            (SELECT coalesce(sum(v.message_count), 0) FROM conversations v WHERE v.user_id = u.user_id)
              - (${UNINDEXED_MESSAGES_SQL}) AS messages,
            c.fields -> 'insights' ->> 'value' AS switch, c.fields -> 'preferred_name' ->> 'value' AS name
       FROM users u LEFT JOIN user_contexts c ON c.tenant_id = u.tenant_id AND c.user_id = u.user_id
      WHERE u.subject_id = $1`,
    [subjectId],
  );
  if (!row) return null;
  return {
    userId: row.user_id,
    isOn: row.switch === null ? null : row.switch === 'on',
    names: row.name === null ? [] : [row.name],
    // A message without a memory is in no history, and a forgotten conversation without one is in neither.
    watermark: `${row.chain_seq}.${row.messages}`,
  };
}

/** The number of the last change in a person's history that a watermark covers; null for none. */
export function readCoveredSeq(watermark: string | null): string | null {
  return /^(?<seq>\d+)\./u.exec(watermark ?? '')?.groups?.['seq'] ?? null;
}
