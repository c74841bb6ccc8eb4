import { PERSON_SCOPE, ProblemError, type RouteDefinition, type Scope } from '@annals/contracts';

/** The caller of a request, and the rights of its key. */
export interface Principal {
  readonly keyId: string;
  /** Null for an operator's key, which belongs to no tenant (docs/reference/api.md#key-scopes). */
  readonly tenantId: string | null;
  readonly scopes: readonly string[];
  readonly operator: boolean;
  readonly bindings: Bindings;
  /** Epoch ms. */
  readonly expiresAt: number | null;
}

/** What a key is restricted to; null means no restriction. */
export interface Bindings {
  readonly agentId: string | null;
  readonly userId: string | null;
  readonly categories: readonly string[] | null;
}

export function hasScope({ scopes, operator }: Principal, scope: Scope): boolean {
  return scope === 'operator' ? operator : scopes.includes(scope);
}

/** Whom the audit history names for what the caller does: the person themselves on their own page, else the key. */
export function actorOf(caller: Principal): string {
  return isPerson(caller) ? PERSON_SCOPE : `key:${caller.keyId}`;
}

/** Whether the caller is a person on their own page. */
export function isPerson({ scopes }: Pick<Principal, 'scopes'>): boolean {
  return scopes.includes(PERSON_SCOPE);
}

/** The caller's tenant on a tenant route: the request hooks have already refused keys without one. */
export function tenantOf({ tenantId }: Principal): string {
  if (tenantId === null) throw new Error('A tenant route was called with a key that belongs to no tenant.');
  return tenantId;
}

/** Throws `forbidden_scope`, naming the required scopes, unless the caller has one of the route's scopes. */
export function checkScope({ scopes }: Pick<RouteDefinition, 'scopes'>, caller: Principal): void {
  if (scopes === 'public') return;
  const needed = scopes.join(' or ');
  if (!scopes.some((scope) => hasScope(caller, scope))) {
    throw new ProblemError('forbidden_scope', `Use a key with the scope ${needed}.`);
  }
  if (caller.tenantId === null && !scopes.includes('operator')) {
    throw new ProblemError('forbidden_scope', `Use a key of a tenant with the scope ${needed}.`);
  }
}
