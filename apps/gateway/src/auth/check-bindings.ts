import { ProblemError } from '@annals/contracts';
import type { Bindings } from './principal.js';

const NAME_ITS_OWN = 'Name the user of the key, or use a key of that user.';

/** Where requests name their user, and what a caller does about a name that their key is not for. */
const USER_FIELDS = {
  'body.user_id': NAME_ITS_OWN,
  'body.filters.user_id': NAME_ITS_OWN,
  'params.user_id': NAME_ITS_OWN,
  'query.user_id': 'Leave it out, or use a key of that user.',
} as const;

/** The path of a field that names a user. */
export type UserField = keyof typeof USER_FIELDS;

/** The user a request is about, as `field` names it. A bound key stands for its user, and is refused for any other. */
export function bindUser<User extends string | undefined>(
  { userId }: Bindings,
  requested: User,
  field: UserField,
): User | string {
  if (userId === null) return requested;
  if (requested !== undefined && requested !== userId) {
    throw new ProblemError('forbidden_user', `The key is bound to another user than ${field} names.`, {
      errors: [{ path: field, message: USER_FIELDS[field] }],
      refused: { userId: requested },
    });
  }
  return userId;
}

/** The agent a body comes from. A bound key stands for its agent, and is refused for any other. */
export function bindAgent({ agentId }: Bindings, requested: string | undefined): string | undefined {
  if (agentId === null) return requested;
  if (requested !== undefined && requested !== agentId) {
    const path = 'body.agent_id';
    throw new ProblemError('forbidden_agent', `The key is bound to another agent than ${path} names.`, {
      errors: [{ path, message: 'Leave it out, or use a key of that agent.' }],
    });
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
