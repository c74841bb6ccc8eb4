import { ProblemError } from '@annals/contracts';
import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, resolveAllowedCategories } from '@annals/domain';
import type { Bindings } from './principal.js';

/** What a request asks for. */
export interface CategoryWish {
  readonly agent?: string | undefined;
  readonly categories?: readonly string[] | undefined;
}

/** Which categories agents and keys may use (SYS §5, decision 25). Null stands for all, also those without a definition. */
export class AgentCatalog {
  constructor(private readonly config: CategoryConfig = DEFAULT_CATEGORY_CONFIG) {}

  /** Everything that a key can reach: its own categories within those of the agent it is bound to. */
  visibleCategories({ agentId, categories }: Bindings): readonly string[] | null {
    if (agentId === null) return categories;
    const ofAgent = Object.hasOwn(this.config.allowlists, agentId) ? this.config.allowlists[agentId]! : [];
    return categories === null ? ofAgent : ofAgent.filter((name) => categories.includes(name));
  }

  /** What a request reads. Throws `forbidden_agent` or `forbidden_category` that names what was refused. */
  resolveCategories({ agent, categories }: CategoryWish, bindings: Bindings): readonly string[] | null {
    const { agentId, categories: keyCategories } = bindings;
    if (agent === undefined && categories === undefined && agentId === null && keyCategories === null) return null;
    const asked = { ...(agent === undefined ? {} : { agent }), keyAgent: agentId, keyCategories };
    const resolution = resolveAllowedCategories(
      { ...asked, ...(categories === undefined ? {} : { requested: categories }) },
      this.config,
    );
    if (resolution.ok) return resolution.categories;
    if (resolution.refused === 'agent') throw this.refuseAgent();
    const permitted = resolveAllowedCategories(asked, this.config);
    throw refuseCategories(resolution.names, permitted.ok ? permitted.categories : []);
  }

  /** Throws `forbidden_category` unless the key may write into the category. */
  checkCategory(category: string, bindings: Bindings): void {
    this.resolveCategories({ categories: [category] }, bindings);
  }

  /** Throws `forbidden_agent` for an agent without an allowlist. */
  checkAgent(agentId: string): void {
    if (!Object.hasOwn(this.config.allowlists, agentId)) throw this.refuseAgent();
  }

  private refuseAgent(): ProblemError {
    const known = Object.keys(this.config.allowlists).join(', ');
    return new ProblemError(
      'forbidden_agent',
      `Name an agent that exists (${known}) and, with a key that is bound to one, no other than that.`,
    );
  }
}

function refuseCategories(names: readonly string[], permitted: readonly string[]): ProblemError {
  const [subject, verb] = names.length === 1 ? ['category', 'is'] : ['categories', 'are'];
  const choice = permitted.length === 0 ? 'none' : permitted.join(', ');
  return new ProblemError(
    'forbidden_category',
    `The ${subject} ${names.join(', ')} ${verb} unknown, or outside what this agent or key may use: ${choice}.`,
  );
}
