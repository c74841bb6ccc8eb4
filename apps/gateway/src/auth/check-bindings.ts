import { ProblemError } from '@annals/contracts';
import type { Bindings } from './principal.js';

const SEND_BOUND_USER = 'Send the user that the key is bound to, or use a key for the requested user.';

/** The fields that name the user of a request, and what to do when it is not the user of the key. */
const USER_FIELDS = {
  'body.user_id': SEND_BOUND_USER,
  'body.filters.user_id': SEND_BOUND_USER,
  'params.user_id': SEND_BOUND_USER,
  'query.user_id': 'Omit this parameter, or use a key for the requested user.',
} as const;

export type UserField = keyof typeof USER_FIELDS;

/**
 * The user of a request: the one in `field`, or the one that the key is bound to. Throws `forbidden_user` for another.
 */
export function bindUser<User extends string | undefined>(
  { userId }: Bindings,
  requested: User,
  field: UserField,
): User | string {
  if (userId === null) return requested;
  if (requested !== undefined && requested !== userId) {
    throw new ProblemError('forbidden_user', `${field} is not the user that the key is bound to.`, {
      errors: [{ path: field, message: USER_FIELDS[field] }],
      refused: { userId: requested },
    });
  }
  return userId;
}

/** The agent of a request: the one in the body, or the one that the key is bound to. Throws `forbidden_agent`. */
export function bindAgent({ agentId }: Bindings, requested: string | undefined): string | undefined {
  if (agentId === null) return requested;
  if (requested !== undefined && requested !== agentId) {
    const path = 'body.agent_id';
    throw new ProblemError('forbidden_agent', `${path} is not the agent that the key is bound to.`, {
      errors: [{ path, message: 'Omit this field, or use a key for the requested agent.' }],
    });
  }
  return agentId;
}

/** A conversation can contain any category, so a key that is bound to categories may neither post nor read one. */
export function refuseCategoryBound({ categories }: Bindings): void {
  if (categories === null) return;
  throw new ProblemError(
    'forbidden_category',
    'Use a key that is not bound to categories: conversations and checkpoints can contain any category.',
  );
}
