import { type RouteDefinition, routes } from '@annals/contracts';
import { fastifyPath } from '../http/endpoint.js';
import { DOCUMENT_PATHS } from '../http/route-table.js';
import { startGateway, type TestGateway } from '../testing/start-gateway.contract.js';
import type { OpenApiDocument } from './build-open-api.js';

describe('the documentation', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('is served as OpenAPI 3.1 with every route of the table', async () => {
    const { status, body } = await gateway.send<OpenApiDocument>(null, 'GET', '/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const table = Object.values<RouteDefinition>(routes).map(({ method, path }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(table.toSorted());
  });

  it('is served as a page without external resources', async () => {
    const response = await fetch(`${gateway.url}/docs`);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page).toContain('POST /v1/memory/query');
    expect(page).not.toMatch(/<script|<link|src=|https?:\/\//);
  });

  it('covers all bound routes: each of the table once, and no others', () => {
    const fastify = gateway.app.getHttpAdapter().getInstance();
    const bound = listRoutes(fastify.printRoutes({ commonPrefix: false }));
    const table = Object.values<RouteDefinition>(routes).map(({ method, path }) => `${method} ${fastifyPath(path)}`);
    expect(bound).toEqual([...table, ...DOCUMENT_PATHS.map((path) => `GET ${path}`)].toSorted());
  });
});

/** "└── /v1/memories (GET, HEAD, POST)" and its indented children as `GET /v1/memories`; HEAD comes with GET. */
function listRoutes(printed: string): string[] {
  const parents: string[] = [];
  const found: string[] = [];
  for (const line of printed.split('\n')) {
    const parts = /^(.*?)(?:├|└)── (\S+?)(?: \((.*)\))?$/.exec(line);
    if (!parts) continue;
    const depth = parts[1]!.length / 4;
    parents.length = depth;
    parents.push(parts[2]!);
    const methods = (parts[3]?.split(', ') ?? []).filter((method) => method !== 'HEAD');
    for (const method of methods) found.push(`${method} ${parents.join('')}`);
  }
  return found.toSorted();
}
