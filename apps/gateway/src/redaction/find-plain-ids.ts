import type { Redactor } from '@annals/runtime';
import { listBoundUsers, type Tx } from '@annals/storage';

/** The ids that are stored as `userId` since the setting is `hash`, and that older keys are bound to as they were sent. */
export async function findPlainIds(tx: Tx, userId: string, redactor: Redactor): Promise<string[]> {
  if (redactor.personalIds !== 'hash') return [];
  return (await listBoundUsers(tx)).filter((bound) => bound !== userId && redactor.hashId(bound) === userId);
}
