import { ProblemError } from '@annals/contracts';
import type { Bindings } from './principal.js';

/** The user a request is about. A bound key stands for its user, and is refused for any other. */
export function bindUser<User extends string | undefined>({ userId }: Bindings, requested: User): User | string {
  if (userId === null) return requested;
  if (requested !== undefined && requested !== userId) {
    throw new ProblemError('forbidden_user', 'The key is bound to another user than user_id names.', {
      refused: { userId: requested },
    });
  }
  return userId;
}

/** The agent a request comes from. A bound key stands for its agent, and is refused for any other. */
export function bindAgent({ agentId }: Bindings, requested: string | undefined): string | undefined {
  if (agentId === null) return requested;
  if (requested !== undefined && requested !== agentId) {
    throw new ProblemError('forbidden_agent', 'The key is bound to another agent than the request names.');
  }
  return agentId;
}

/** Conversations hold words of any category, so a key that is bound to categories neither posts nor reads them. */
export function refuseCategoryBound({ categories }: Bindings): void {
  if (categories === null) return;
  throw new ProblemError(
    'forbidden_category',
    'The key is bound to categories, and a conversation can be about anything: use a key without that binding.',
  );
}
