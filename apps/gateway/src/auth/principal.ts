import type { Scope } from '@annals/contracts';

/** Who a request comes from, and what their key may do. */
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

/** What a key is narrowed to; null means not narrowed. */
export interface Bindings {
  readonly agentId: string | null;
  readonly userId: string | null;
  readonly categories: readonly string[] | null;
}

export function hasScope({ scopes, operator }: Principal, scope: Scope): boolean {
  return scope === 'operator' ? operator : scopes.includes(scope);
}

/** The tenant of a caller on a tenant's route: the request hooks have refused keys without one. */
export function tenantOf({ tenantId }: Principal): string {
  if (tenantId === null) throw new Error('A route of a tenant was reached with a key of no tenant.');
  return tenantId;
}
