import { type ApiKey, type CreateKey, ProblemError } from '@annals/contracts';
import type { Bindings, Principal } from '../auth/principal.js';

/** The bindings of a new key. A key never creates one with more rights than its own. Throws `forbidden_…`. */
export function narrowBindings(request: CreateKey, creator: Principal): Bindings {
  for (const scope of request.scopes) {
    if (!creator.scopes.includes(scope)) {
      throw new ProblemError('forbidden_scope', `Remove ${scope} from body.scopes: your key does not have this scope.`);
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
  throw new ProblemError(code, `Omit body.${field}, or set it to the ${field} that your key is bound to.`);
}

function narrowCategories(own: readonly string[] | null, requested: readonly string[] | undefined) {
  if (own === null) return requested ?? null;
  const wider = requested?.filter((category) => !own.includes(category)) ?? [];
  if (wider.length > 0) {
    throw new ProblemError(
      'forbidden_category',
      `Remove ${wider.join(', ')} from body.categories: your key is bound to other categories.`,
    );
  }
  return requested ?? own;
}

/** Whether a key has no more rights than `bindings`. A bound key may list and revoke only such keys of its tenant. */
export function isKeyWithin(key: ApiKey, { agentId, userId, categories }: Bindings): boolean {
  if (agentId !== null && key.agent_id !== agentId) return false;
  if (userId !== null && key.user_id !== userId) return false;
  return categories === null || (key.categories?.every((category) => categories.includes(category)) ?? false);
}
