import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, listCategoryNames } from './default-categories.js';

export interface CategoryRequest {
  readonly agent?: string | undefined;
  readonly requested?: readonly string[] | undefined;
  readonly keyAgent?: string | null | undefined;
  readonly keyCategories?: readonly string[] | null | undefined;
}

/**
 * What may be read, or what was refused and what is permitted (docs/reference/api.md#refusals-name-what-was-refused).
 */
export type CategoryResolution =
  | { readonly ok: true; readonly categories: string[] }
  | {
      readonly ok: false;
      readonly refused: 'agent' | 'categories';
      readonly names: string[];
      readonly permitted: string[];
    };

/**
 * The categories that a request may read (docs/reference/categories-and-agents.md#categories-and-allowlists,
 * docs/reference/api.md#key-bindings-narrow-a-request): a request only narrows what its key may read. A key that is
 * bound to an agent is valid for that agent only; an unbound key for any known agent, or without an agent for all
 * categories. Categories that are read on request only must be among `requested`.
 */
export function resolveAllowedCategories(
  request: CategoryRequest,
  config: CategoryConfig = DEFAULT_CATEGORY_CONFIG,
): CategoryResolution {
  const agent = request.keyAgent ?? request.agent;
  const isOther = request.agent !== undefined && request.agent !== agent;
  if (isOther || (agent !== undefined && !Object.hasOwn(config.allowlists, agent))) {
    const permitted = isOther ? [agent!] : Object.keys(config.allowlists);
    return { ok: false, refused: 'agent', names: [request.agent ?? agent!], permitted };
  }
  const permitted = listPermitted(agent, request.keyCategories ?? null, config);
  if (request.requested && request.requested.length > 0) return narrow(permitted, request.requested);
  const onRequest = listOnRequestCategories(config);
  return { ok: true, categories: permitted.filter((name) => !onRequest.includes(name)) };
}

/** Categories that are only returned when a request names them. */
export function listOnRequestCategories(config: CategoryConfig = DEFAULT_CATEGORY_CONFIG): string[] {
  return config.categories.filter(({ onRequestOnly }) => onRequestOnly).map(({ name }) => name);
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
  if (outside.length === 0) return { ok: true, categories: names };
  return { ok: false, refused: 'categories', names: outside, permitted: [...permitted] };
}
