import { ProblemError } from '@annals/contracts';
import {
  type CategoryConfig,
  type CategoryResolution,
  type CategoryView,
  listOnRequestCategories,
  resolveAllowedCategories,
} from '@annals/domain';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../config.js';
import type { Bindings } from './principal.js';

export interface CategoryRequest {
  readonly agent?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  /** The user of the request, for the audit event of a refusal. */
  readonly userId?: string | undefined;
}

/**
 * Which categories agents and keys may use (docs/reference/categories-and-agents.md#categories-and-allowlists,
 * docs/reference/api.md#refusals-name-what-was-refused). Null means all categories, including undefined ones.
 */
@Injectable()
export class AgentCatalog {
  constructor(@Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions) {}

  get config(): CategoryConfig {
    return this.options.categories.current;
  }

  /** The categories that a key may use: its own, limited to the allowlist of the agent that it is bound to. */
  visibleCategories({ agentId, categories }: Bindings): readonly string[] | null {
    if (agentId === null) return categories;
    const { allowlists } = this.config;
    const ofAgent = Object.hasOwn(allowlists, agentId) ? allowlists[agentId]! : [];
    return categories === null ? ofAgent : ofAgent.filter((name) => categories.includes(name));
  }

  /**
   * The categories that a request reads: the ones it names, else all allowed ones except those that are returned on
   * request only. Throws `forbidden_agent` or `forbidden_category` that names what was refused.
   */
  resolveView(request: CategoryRequest, bindings: Bindings): CategoryView {
    const categories = this.resolveCategories(request, bindings);
    return { categories, exceptCategories: categories === null ? listOnRequestCategories(this.config) : [] };
  }

  /** Throws `forbidden_category` unless the key may write into the category. */
  checkCategory(category: string, bindings: Bindings): void {
    this.resolveCategories({ categories: [category] }, bindings);
  }

  /** Throws `forbidden_agent` for an agent without an allowlist. */
  checkAgent(agentId: string): void {
    const resolution = resolveAllowedCategories({ agent: agentId }, this.config);
    if (!resolution.ok) throw refuse(resolution);
  }

  private resolveCategories(
    { agent, categories, userId }: CategoryRequest,
    bindings: Bindings,
  ): readonly string[] | null {
    const { agentId, categories: keyCategories } = bindings;
    if (agent === undefined && categories === undefined && agentId === null && keyCategories === null) return null;
    const resolution = resolveAllowedCategories(
      { agent, requested: categories, keyAgent: agentId, keyCategories },
      this.config,
    );
    if (resolution.ok) return resolution.categories;
    throw refuse(resolution, userId);
  }
}

function refuse(
  { refused, names, permitted }: Extract<CategoryResolution, { ok: false }>,
  userId?: string,
): ProblemError {
  const user = userId === undefined ? {} : { userId };
  const allowed = permitted.length === 0 ? 'none' : permitted.join(', ');
  if (refused === 'agent') {
    return new ProblemError(
      'forbidden_agent',
      `${describeAgent(names[0]!)} is unknown, or not the one that the key is bound to. Allowed agents: ${allowed}.`,
      { refused: user },
    );
  }
  const [subject, verb] = names.length === 1 ? ['category', 'is'] : ['categories', 'are'];
  return new ProblemError(
    'forbidden_category',
    `The ${subject} ${names.join(', ')} ${verb} unknown, or not allowed for this agent or key. ` +
      `Allowed categories: ${allowed}.`,
    { refused: { categories: names, ...user } },
  );
}

/** A plain identifier. Anything else may be user content, which is never repeated in a response. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9_.:-]{0,59}$/i;

function describeAgent(name: string): string {
  return PLAIN_NAME.test(name) ? `The agent ${name}` : 'The agent';
}
