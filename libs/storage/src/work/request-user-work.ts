import type { WorkKindOf } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { enqueueAbsentWork, enqueueWork, type WorkRequest } from './enqueue-work.js';

interface RequestDependencies {
  readonly now: number;
  readonly ids: IdGenerator;
}

/** Asks for work about a user, unless there is none of that name. */
export async function requestUserWork(
  tx: Tx,
  kind: WorkKindOf<'user'>,
  userId: string,
  dependencies: RequestDependencies,
): Promise<void> {
  const request = await describeRequest(tx, kind, userId, dependencies);
  if (request) await enqueueWork(tx, [request], dependencies);
}

/**
 * The same unless it was asked for before. What has failed is asked for again, unless that was after `failedUntil` (epoch
 * ms). Returns how many requests were new.
 */
export async function requestAbsentUserWork(
  tx: Tx,
  kind: WorkKindOf<'user'>,
  userId: string,
  dependencies: RequestDependencies & { readonly failedUntil: number },
): Promise<number> {
  const request = await describeRequest(tx, kind, userId, dependencies);
  return request ? enqueueAbsentWork(tx, [request], dependencies) : 0;
}

/** Users of earlier releases get their id as subject here. */
async function describeRequest(
  tx: Tx,
  kind: WorkKindOf<'user'>,
  userId: string,
  { now }: RequestDependencies,
): Promise<WorkRequest | null> {
  const [user] = await tx.query<Pick<UserEntity, 'subject_id'>>('SELECT subject_id FROM users WHERE user_id = $1', [
    userId,
  ]);
  if (!user) return null;
  const subjectId = user.subject_id ?? (await lockExistingUser(tx, userId)).user?.subjectId;
  return subjectId === undefined ? null : { kind, subjectId, availableAt: now, trace: null };
}
