import { type RouteDefinition, routes } from '@annals/contracts';
import { accessOf } from '../auth/route-access.js';
import { fastifyPath } from './endpoint.js';

const byPattern = new Map<string, RouteDefinition>();
const byPath: { readonly matches: RegExp; readonly method: string }[] = [];
for (const route of Object.values<RouteDefinition>(routes)) {
  byPattern.set(`${route.method} ${fastifyPath(route.path)}`, route);
  byPath.push({ matches: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`), method: route.method });
}

/** The route of a method and pattern that the router matched; HEAD has the route of GET. */
export function findRoute(method: string, pattern: string | undefined): RouteDefinition | null {
  return byPattern.get(`${method === 'HEAD' ? 'GET' : method} ${pattern}`) ?? null;
}

/** The methods that a path accepts; empty for a path that does not exist. */
export function allowedMethods(path: string): string[] {
  return [...new Set(byPath.filter(({ matches }) => matches.test(path)).map(({ method }) => method))].toSorted();
}

/** Paths of the documentation. They are not part of the route table. */
export const DOCUMENT_PATHS = ['/docs', '/docs/start.js', '/docs/:asset', '/openapi.json'] as const;

/** Where OAuth clients look for the metadata of `/mcp` (RFC 9728 §3.1): at its own path, and at that of the host. */
export const RESOURCE_METADATA_PATHS = [
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource',
] as const;

/** The console: its page, and the files that the page loads. */
export const CONSOLE_PATHS = ['/console', '/console/*'] as const;
/** The page of a person, and the files that it loads. */
export const PERSON_PAGE_PATHS = ['/me', '/me/*'] as const;
/** Where these pages exchange a link. */
export const SIGN_IN_PATHS = ['/console/sign-in', '/me/sign-in'] as const;

const PAGE_PATHS: ReadonlySet<string> = new Set([
  ...DOCUMENT_PATHS,
  ...CONSOLE_PATHS,
  ...PERSON_PAGE_PATHS,
  ...SIGN_IN_PATHS,
  ...RESOURCE_METADATA_PATHS,
]);

/** Below it is the queue UI: pages for operators, with a session of their own. */
export const QUEUE_UI_PATH = '/admin/queues';

/** Whether a pattern is a page, its assets or its data, or metadata, which are no part of the route table. */
export function isPagePath(pattern: string): boolean {
  const isQueueUi = pattern === QUEUE_UI_PATH || pattern.startsWith(`${QUEUE_UI_PATH}/`);
  return isQueueUi || PAGE_PATHS.has(pattern);
}

/** Throws for a route that is bound without being in the route table and in the table of key bindings. */
export function checkBoundRoute(method: string, pattern: string): void {
  if (isPagePath(pattern)) return;
  const route = findRoute(method, pattern);
  if (route === null) throw new Error(`${method} ${pattern} is not in the route table: it is not served.`);
  accessOf(route);
}

/** Whether a pattern is that of an exchange of a link. */
export function isSignInPath(pattern: string | undefined): boolean {
  return SIGN_IN_PATHS.some((path) => path === pattern);
}
