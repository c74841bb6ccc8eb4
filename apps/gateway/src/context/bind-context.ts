import { ProblemError } from '@annals/contracts';
import type { AgentCatalog } from '../auth/agent-catalog.js';
import type { Principal } from '../auth/principal.js';

/** The category of the user context, for keys and agents that are restricted to categories. */
const CATEGORY = 'profile';

/** Throws `forbidden_category` unless the key may use the category of the user context. */
export function checkContextCategory(catalog: AgentCatalog, { bindings }: Principal): void {
  catalog.checkCategory(CATEGORY, bindings);
}

/** Throws `forbidden_agent` for a key that is bound to an agent: consent is the person's, not the agent's. */
export function refuseAgents({ bindings }: Principal): void {
  if (bindings.agentId === null) return;
  throw new ProblemError(
    'forbidden_agent',
    'Use a key that is not bound to an agent: only the person can consent, for example on your settings page.',
  );
}

export function proposalNotFound(): ProblemError {
  return new ProblemError('not_found', 'There is no proposal with this id.');
}
