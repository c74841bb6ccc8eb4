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
    const resolution = resolveAllowedCategories(
      {
        ...(agent === undefined ? {} : { agent }),
        ...(categories === undefined ? {} : { requested: categories }),
        keyAgent: agentId,
        keyCategories,
      },
      this.config,
    );
    if (resolution.ok) return resolution.categories;
    throw resolution.refused === 'agent' ? refuseAgent(resolution.names) : refuseCategories(resolution.names);
  }

  /** Throws `forbidden_category` unless the key may write into the category. */
  checkCategory(category: string, bindings: Bindings): void {
    this.resolveCategories({ categories: [category] }, bindings);
  }

  /** Throws `forbidden_agent` for an agent without an allowlist. */
  checkAgent(agentId: string): void {
    if (!Object.hasOwn(this.config.allowlists, agentId)) throw refuseAgent([agentId]);
  }
}

function refuseAgent([name]: readonly string[]): ProblemError {
  return new ProblemError('forbidden_agent', `The agent ${name} is unknown, or this key is bound to another one.`);
}

function refuseCategories(names: readonly string[]): ProblemError {
  const [subject, verb] = names.length === 1 ? ['category', 'is'] : ['categories', 'are'];
  return new ProblemError(
    'forbidden_category',
    `The ${subject} ${names.join(', ')} ${verb} unknown, or outside what this agent or key may use.`,
  );
}
