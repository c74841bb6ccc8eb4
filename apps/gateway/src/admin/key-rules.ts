import { type CreateKey, ProblemError } from '@annals/contracts';
import type { AgentCatalog } from '../auth/agent-catalog.js';
import type { Bindings, Principal } from '../auth/principal.js';
import { invalidFields } from '../http/parse-input.js';

/**
 * The bindings of a new key (docs/reference/key-bindings.md#keys-that-are-refused-at-creation). Throws
 * `forbidden_scope` for a scope that the creator does not have, `forbidden_agent` for an unknown agent, and
 * `validation_failed` for a combination that no request could use. Its creator has no bindings that it could evade: the
 * table of key bindings admits no bound key to this route.
 */
export function bindNewKey(request: CreateKey, creator: Principal, catalog: AgentCatalog): Bindings {
  for (const scope of request.scopes) {
    if (creator.scopes.includes(scope)) continue;
    throw new ProblemError('forbidden_scope', `Remove ${scope} from body.scopes: your key does not have this scope.`);
  }
  const { agent_id: agentId = null, user_id: userId = null, categories = null } = request;
  if (agentId !== null) catalog.checkAgent(agentId);
  const bindings = { agentId, userId, categories };
  refuseBoundAdmin(request);
  if (agentId !== null && catalog.visibleCategories(bindings)?.length === 0) throw withoutCategories();
  return bindings;
}

/** What only `admin` gives concerns the whole tenant or a whole person, and is refused to bound keys or pointless. */
function refuseBoundAdmin(request: CreateKey): void {
  const bound = (['user_id', 'agent_id', 'categories'] as const).filter((field) => request[field] !== undefined);
  if (bound.length === 0 || !request.scopes.includes('admin')) return;
  const fields = bound.map((field) => `body.${field}`).join(' and ');
  const message = `Remove admin, or omit ${fields}: a key with this scope manages the tenant, so it has no bindings.`;
  throw invalidFields([{ path: 'body.scopes', message }]);
}

function withoutCategories(): ProblemError {
  const message =
    'Send categories of which at least one is in the allowlist of body.agent_id: this key could see none.';
  return invalidFields([{ path: 'body.categories', message }]);
}
