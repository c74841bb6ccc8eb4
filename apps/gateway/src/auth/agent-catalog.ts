import { ProblemError } from '@annals/contracts';
import {
  type CategoryConfig,
  type CategoryResolution,
  type CategoryView,
  listOnRequestCategories,
  resolveAllowedCategories,
} from '@annals/domain';
import type { Bindings } from './principal.js';

/** What a request asks for. */
export interface CategoryRequest {
  readonly agent?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  /** Whom it is about: goes into the audit of a refusal. */
  readonly userId?: string | undefined;
}

/** The categories as they are set up now; a file that changes changes them while the process runs. */
export interface CategorySource {
  readonly current: CategoryConfig;
}

/**
 * Which categories agents and keys may use (docs/reference/categories-and-agents.md#categories-and-allowlists,
 * docs/reference/api.md#refusals-name-what-was-refused). Null stands for all, also those without a definition.
 */
export class AgentCatalog {
  constructor(private readonly source: CategorySource) {}

  get config(): CategoryConfig {
    return this.source.current;
  }

  /** Everything that a key can reach: its own categories within those of the agent it is bound to. */
  visibleCategories({ agentId, categories }: Bindings): readonly string[] | null {
    if (agentId === null) return categories;
    const { allowlists } = this.config;
    const ofAgent = Object.hasOwn(allowlists, agentId) ? allowlists[agentId]! : [];
    return categories === null ? ofAgent : ofAgent.filter((name) => categories.includes(name));
  }

  /**
   * What a request reads: what it names, else all that it may see but for what is read on request only. Throws
   * `forbidden_agent` or `forbidden_category` that names what was refused.
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
  const about = userId === undefined ? {} : { userId };
  const choice = permitted.length === 0 ? 'none' : permitted.join(', ');
  if (refused === 'agent') {
    return new ProblemError(
      'forbidden_agent',
      `${describeAgent(names[0]!)} is unknown, or another than the key is bound to. Name one of these: ${choice}.`,
      { refused: about },
    );
  }
  const [subject, verb] = names.length === 1 ? ['category', 'is'] : ['categories', 'are'];
  return new ProblemError(
    'forbidden_category',
    `The ${subject} ${names.join(', ')} ${verb} unknown, or outside what this agent or key may use: ${choice}.`,
    { refused: { categories: names, ...about } },
  );
}

/** What is plainly a name; anything else might be somebody's words, and these are repeated nowhere. */
const NAME = /^[a-z0-9][a-z0-9_.:-]{0,59}$/i;

function describeAgent(name: string): string {
  return NAME.test(name) ? `The agent ${name}` : 'The agent';
}
