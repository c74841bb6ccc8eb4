import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';

/** Who a subject of work is, and what moves with each change of their memories. */
export interface SubjectUser {
  readonly userId: string;
  /** Head sequence of the user's history: writes, deletions and corrections append to it. */
  readonly watermark: string;
}

/** The user with this subject id; null when there is none any more. */
export async function readSubjectUser(tx: Tx, subjectId: string): Promise<SubjectUser | null> {
  const [user] = await tx.query<Pick<UserEntity, 'user_id' | 'chain_seq'>>(
    'SELECT user_id, chain_seq FROM users WHERE subject_id = $1',
    [subjectId],
  );
  return user ? { userId: user.user_id, watermark: user.chain_seq } : null;
}

/**
 * Locks what a run is about, so that nobody else changes it before the commit: the user, then the conversation, as every
 * writer does (docs/reference/writes.md#lock-the-users-row-first).
 */
export async function lockMindSubject(tx: Tx, subject: 'user' | 'conversation', subjectId: string): Promise<void> {
  if (subject === 'user') {
    await tx.query('SELECT FROM users WHERE subject_id = $1 FOR UPDATE', [subjectId]);
    return;
  }
  await tx.query(
    'SELECT FROM users WHERE user_id = (SELECT c.user_id FROM conversations c WHERE c.id = $1) FOR UPDATE',
    [subjectId],
  );
  await tx.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [subjectId]);
}
