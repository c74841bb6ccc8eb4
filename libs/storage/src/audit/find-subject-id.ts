import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { lockExistingUser } from './user-chain.js';

/** The user as subject of work; null without a row. Users of earlier releases get their id here. */
export async function findSubjectId(tx: Tx, userId: string): Promise<string | null> {
  const [user] = await tx.query<Pick<UserEntity, 'subject_id'>>('SELECT subject_id FROM users WHERE user_id = $1', [
    userId,
  ]);
  if (!user) return null;
  return user.subject_id ?? (await lockExistingUser(tx, userId)).user?.subjectId ?? null;
}
