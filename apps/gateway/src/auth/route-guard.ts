import {
  type BindingRule,
  type LimitingRule,
  ProblemError,
  type RouteAccess,
  type RouteDefinition,
  type RouteInput,
} from '@annals/contracts';
import type { CategoryView } from '@annals/domain';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from './agent-catalog.js';
import { type Bindings, checkScope, isPerson, type Principal } from './principal.js';
import { accessOf, isForPersons } from './route-access.js';

/** What is left of a request after the bindings of the caller's key were applied. */
export interface RequestAccess {
  /** The user that the request names, or the one that the key is bound to; undefined for neither. */
  readonly userId: string | undefined;
  /** The agent in whose name messages are posted, or the one that the key is bound to. */
  readonly agentId: string | undefined;
  /** The categories that the key may use; null for all. */
  readonly categories: readonly string[] | null;
  /** The categories that the request reads; null where no agent can be named. */
  readonly view: CategoryView | null;
}

type Input = RouteInput<RouteDefinition>;

/**
 * Applies the bindings of keys to requests by the one table of routes and bindings (docs/reference/key-bindings.md).
 * What remains for handlers is to compare the owner of a row that an id names.
 */
@Injectable()
export class RouteGuard {
  constructor(@Inject(AgentCatalog) private readonly catalog: AgentCatalog) {}

  /** Throws `forbidden_…` when the scopes or a binding of the key refuse the route, whatever the request says. */
  checkRoute(route: RouteDefinition, caller: Principal): void {
    checkScope(route, caller);
    if (isPerson(caller) && !isForPersons(route))
      throw new ProblemError('forbidden_scope', 'Use a key of the tenant: a person’s own page has no access to this.');
    const { bindings } = caller;
    const { user, agent, categories } = accessOf(route);
    if (bindings.userId !== null) refuseBound(user, 'forbidden_user', 'a user');
    if (bindings.agentId !== null) refuseBound(agent, 'forbidden_agent', 'an agent');
    if (bindings.categories !== null) refuseBound(categories, 'forbidden_category', 'categories');
  }

  /** Throws `forbidden_…` when a field of the request names something that the key is not bound to. */
  resolve(route: RouteDefinition, input: Input, { bindings }: Principal): RequestAccess {
    const access = accessOf(route);
    const userId = bindUser(access.user, input, bindings);
    return {
      userId,
      agentId: bindAgent(access.agent, input, bindings),
      categories: this.catalog.visibleCategories(bindings),
      view: this.resolveView(access, input, bindings, userId),
    };
  }

  private resolveView(
    { agent, categories }: RouteAccess,
    input: Input,
    bindings: Bindings,
    userId: string | undefined,
  ): CategoryView | null {
    if (categories.effect !== 'limits') return null;
    const named = [...readFields(categories, input).map(([, name]) => name), categories.category ?? []].flat();
    if (agent.effect === 'limits' && agent.allowlist && agent.fields?.length) {
      const [[, sender] = []] = readFields(agent, input);
      return this.catalog.resolveView(
        { agent: sender, categories: named.length > 0 ? named : undefined, userId },
        bindings,
      );
    }
    for (const category of named) this.catalog.checkCategory(category, bindings);
    return null;
  }
}

function refuseBound(
  rule: BindingRule,
  code: 'forbidden_user' | 'forbidden_agent' | 'forbidden_category',
  bound: string,
): void {
  if (rule.effect !== 'refused') return;
  throw new ProblemError(code, `Use a key that is not bound to ${bound}: ${rule.why}.`);
}

function bindUser(rule: BindingRule, input: Input, { userId: bound }: Bindings): string | undefined {
  if (rule.effect !== 'limits') return undefined;
  const named = readFields(rule, input);
  for (const [path, requested] of named) {
    if (bound === null || requested === bound) continue;
    throw new ProblemError('forbidden_user', `${path} is not the user that the key is bound to.`, {
      errors: [{ path, message: adviseUser(path) }],
      refused: { userId: requested },
    });
  }
  return named[0]?.[1] ?? bound ?? undefined;
}

function bindAgent(rule: BindingRule, input: Input, { agentId: bound }: Bindings): string | undefined {
  // The catalog compares agents that have an allowlist, and lists the known ones when it refuses one.
  if (rule.effect !== 'limits' || rule.allowlist) return bound ?? undefined;
  const named = readFields(rule, input);
  for (const [path, requested] of named) {
    if (bound === null || requested === bound) continue;
    throw new ProblemError('forbidden_agent', `${path} is not the agent that the key is bound to.`, {
      errors: [{ path, message: 'Omit this field, or use a key for the requested agent.' }],
    });
  }
  return named[0]?.[1] ?? bound ?? undefined;
}

function adviseUser(path: string): string {
  return path.startsWith('query.')
    ? 'Omit this parameter, or use a key for the requested user.'
    : 'Send the user that the key is bound to, or use a key for the requested user.';
}

/** Each value that the rule's fields have in the request, with its field: none of an omitted one, all of a list. */
function readFields({ fields = [] }: LimitingRule, input: Input): [path: string, value: string][] {
  return fields.flatMap((path) => {
    const value = path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], input);
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((each): [string, string] => [path, String(each)]);
  });
}
