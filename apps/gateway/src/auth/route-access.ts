import { PERSON_ROUTES, ROUTE_ACCESS, type RouteAccess, type RouteDefinition, routes } from '@annals/contracts';

const entries = new Map(Object.entries<RouteDefinition>(routes).map(([name, route]) => [route, ROUTE_ACCESS[name]]));

const forPersons = new Set<RouteDefinition>([...PERSON_ROUTES].map((name) => routes[name]));

/** Whether a person's own page may call the route. */
export function isForPersons(route: RouteDefinition): boolean {
  return forPersons.has(route);
}

/**
 * What the bindings of keys mean for a route. Throws for a route without an entry, so that a process which would serve
 * such a route does not start.
 */
export function accessOf(route: RouteDefinition): RouteAccess {
  const access = entries.get(route);
  if (access) return access;
  throw new Error(
    `${route.method} ${route.path} has no entry in libs/contracts/src/access/table.ts: it is not served.`,
  );
}
