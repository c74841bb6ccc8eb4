import { type RouteDefinition, routes } from '@annals/contracts';
import { fastifyPath } from './endpoint.js';

const byPattern = new Map<string, RouteDefinition>();
const byPath: { readonly matches: RegExp; readonly method: string }[] = [];
for (const route of Object.values<RouteDefinition>(routes)) {
  byPattern.set(`${route.method} ${fastifyPath(route.path)}`, route);
  byPath.push({ matches: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`), method: route.method });
}

/** The route that the router matched, by method and pattern; HEAD is answered by GET. */
export function findRoute(method: string, pattern: string | undefined): RouteDefinition | null {
  return byPattern.get(`${method === 'HEAD' ? 'GET' : method} ${pattern}`) ?? null;
}

/** Methods that a path takes; empty for a path that does not exist. */
export function allowedMethods(path: string): string[] {
  return [...new Set(byPath.filter(({ matches }) => matches.test(path)).map(({ method }) => method))].toSorted();
}

/** Paths of the documentation, which are no part of the API that they describe. */
export const DOCUMENT_PATHS = ['/docs', '/openapi.json'] as const;

export function isDocumentPath(pattern: string): boolean {
  return DOCUMENT_PATHS.some((path) => path === pattern);
}
