import { ProblemError } from '@annals/contracts';
import type { AgentCatalog } from '../auth/agent-catalog.js';
import type { Principal } from '../auth/principal.js';

/** The category that a person's context belongs to, for keys and agents that may use some alone. */
const CATEGORY = 'profile';

/** Throws `forbidden_category` unless the key may use the category of a person's context. */
export function checkContextCategory(catalog: AgentCatalog, { bindings }: Principal): void {
  catalog.checkCategory(CATEGORY, bindings);
}

/** Throws `forbidden_agent` for an agent’s key: a person consents, not the agent that would like to know. */
export function refuseAgents({ bindings }: Principal): void {
  if (bindings.agentId === null) return;
  throw new ProblemError(
    'forbidden_agent',
    'A person consents, not an agent: use a key that is not bound to one, from the page where the person decides.',
  );
}

export function proposalNotFound(): ProblemError {
  return new ProblemError('not_found', 'There is no proposal with this id.');
}
