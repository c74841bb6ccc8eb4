import { ProblemError } from '@annals/contracts';
import { bindUser, refuseCategoryBound } from '../auth/check-bindings.js';
import type { Principal } from '../auth/principal.js';

/**
 * The user whose checkpoints a request is about. A state may hold anything, so a key that is bound to categories neither
 * reads nor writes one.
 */
export function bindCheckpoint({ bindings }: Principal, userId: string): string {
  refuseCategoryBound(bindings);
  return bindUser(bindings, userId, 'params.user_id');
}

export function checkpointNotFound(): ProblemError {
  return new ProblemError('not_found', 'No state is kept of this thread, or not in this version.');
}
