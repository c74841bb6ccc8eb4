import { ProblemError } from '@annals/contracts';
import { bindUser, refuseCategoryBound } from '../auth/check-bindings.js';
import type { Principal } from '../auth/principal.js';

/**
 * The user whose checkpoints a request reads or writes. A checkpoint can contain any category, so keys that are bound
 * to categories are refused.
 */
export function bindCheckpoint({ bindings }: Principal, userId: string): string {
  refuseCategoryBound(bindings);
  return bindUser(bindings, userId, 'params.user_id');
}

export function checkpointNotFound(): ProblemError {
  return new ProblemError('not_found', 'The thread has no checkpoint, or not the requested version of it.');
}
