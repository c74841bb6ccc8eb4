import { type ApiKey, type CreateKey, ProblemError } from '@annals/contracts';
import type { Bindings, Principal } from '../auth/principal.js';

/** What a new key is narrowed to. A key never makes one that may do more than itself. */
export function narrowBindings(request: CreateKey, creator: Principal): Bindings {
  for (const scope of request.scopes) {
    if (!creator.scopes.includes(scope)) {
      throw new ProblemError('forbidden_scope', `Make the key without the scope ${scope}: your key lacks it.`);
    }
  }
  return {
    agentId: narrow(creator.bindings.agentId, request.agent_id, 'forbidden_agent', 'agent_id'),
    userId: narrow(creator.bindings.userId, request.user_id, 'forbidden_user', 'user_id'),
    categories: narrowCategories(creator.bindings.categories, request.categories),
  };
}

function narrow(
  own: string | null,
  requested: string | undefined,
  code: 'forbidden_agent' | 'forbidden_user',
  field: string,
): string | null {
  if (own === null) return requested ?? null;
  if (requested === undefined || requested === own) return own;
  throw new ProblemError(code, `Your key is bound: make the key with the same ${field}.`);
}

function narrowCategories(own: readonly string[] | null, requested: readonly string[] | undefined) {
  if (own === null) return requested ?? null;
  const wider = requested?.filter((category) => !own.includes(category)) ?? [];
  if (wider.length > 0) {
    throw new ProblemError('forbidden_category', `Make the key without ${wider.join(', ')}: your key may not use it.`);
  }
  return requested ?? own;
}

/** True when a key may do no more than its bindings allow: what a bound key may see of its tenant's keys, and revoke. */
export function isKeyWithin(key: ApiKey, { agentId, userId, categories }: Bindings): boolean {
  if (agentId !== null && key.agent_id !== agentId) return false;
  if (userId !== null && key.user_id !== userId) return false;
  return categories === null || (key.categories?.every((category) => categories.includes(category)) ?? false);
}
