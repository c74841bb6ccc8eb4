import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, listCategoryNames } from './default-categories.js';

/** What a request asks for and what its key is bound to. */
export interface CategoryRequest {
  readonly agent?: string;
  readonly requested?: readonly string[];
  readonly keyAgent?: string | null;
  readonly keyCategories?: readonly string[] | null;
}

/** The categories that may be read, or what was refused: the route answers 403 and names it (decision 25). */
export type CategoryResolution =
  | { readonly ok: true; readonly categories: string[] }
  | { readonly ok: false; readonly refused: 'agent' | 'categories'; readonly names: string[] };

/**
 * The categories that a request may read (SYS §5, decision 25, api.md `memory.query`): those of the agent's allowlist
 * and of the key, narrowed to the requested ones. A request narrows what its key may see and never widens it: a bound
 * key serves its own agent only; an unbound one any known agent, or none for all categories. Without `requested` an
 * agent gets what it sees by default, which leaves out categories that are read on request only (SYS §12).
 */
export function resolveAllowedCategories(
  request: CategoryRequest,
  config: CategoryConfig = DEFAULT_CATEGORY_CONFIG,
): CategoryResolution {
  const agent = request.keyAgent ?? request.agent;
  if (request.agent !== undefined && request.agent !== agent) return refuse('agent', [request.agent]);
  if (agent !== undefined && !Object.hasOwn(config.allowlists, agent)) return refuse('agent', [agent]);
  const permitted = listPermitted(agent, request.keyCategories ?? null, config);
  if (request.requested && request.requested.length > 0) return narrow(permitted, request.requested);
  return { ok: true, categories: agent === undefined ? permitted : withoutOnRequestOnly(permitted, config) };
}

function listPermitted(
  agent: string | undefined,
  keyCategories: readonly string[] | null,
  config: CategoryConfig,
): string[] {
  const ofAgent = agent === undefined ? listCategoryNames(config) : (config.allowlists[agent] ?? []);
  return ofAgent.filter((name) => keyCategories === null || keyCategories.includes(name));
}

function narrow(permitted: readonly string[], requested: readonly string[]): CategoryResolution {
  const names = [...new Set(requested)];
  const outside = names.filter((name) => !permitted.includes(name));
  return outside.length > 0 ? refuse('categories', outside) : { ok: true, categories: names };
}

function withoutOnRequestOnly(names: readonly string[], config: CategoryConfig): string[] {
  const onRequest = new Set(config.categories.filter(({ onRequestOnly }) => onRequestOnly).map(({ name }) => name));
  return names.filter((name) => !onRequest.has(name));
}

function refuse(refused: 'agent' | 'categories', names: string[]): CategoryResolution {
  return { ok: false, refused, names };
}
