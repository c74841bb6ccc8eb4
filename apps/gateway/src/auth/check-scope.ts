import { ProblemError, type RouteDefinition } from '@annals/contracts';
import { hasScope, type Principal } from './principal.js';

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
