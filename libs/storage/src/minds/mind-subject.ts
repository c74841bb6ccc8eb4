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

/** The subject id of a user, given now to one who has none yet; null for an unknown user. */
export async function readSubjectOfUser(tx: Tx, userId: string): Promise<string | null> {
  const [user] = await tx.query<Pick<UserEntity, 'subject_id'>>(
    `UPDATE users SET subject_id = coalesce(subject_id, gen_random_uuid()) WHERE user_id = $1 RETURNING subject_id`,
    [userId],
  );
  return user?.subject_id ?? null;
}

/**
 * Locks what a run is about, so that nobody else changes it before the commit: the user, then the conversation, as every
 * writer does (docs/reference/writes.md#lock-the-users-row-first). No stronger than theirs: posts to other threads of the
 * user, which share the user's row, do not wait for a run's effect; an erasure does.
 */
export async function lockMindSubject(tx: Tx, subject: 'user' | 'conversation', subjectId: string): Promise<void> {
  if (subject === 'user') {
    await tx.query('SELECT FROM users WHERE subject_id = $1 FOR NO KEY UPDATE', [subjectId]);
    return;
  }
  await tx.query(
    'SELECT FROM users WHERE user_id = (SELECT c.user_id FROM conversations c WHERE c.id = $1) FOR NO KEY UPDATE',
    [subjectId],
  );
  await tx.query('SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE', [subjectId]);
}
