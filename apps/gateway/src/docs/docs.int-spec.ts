import { type RouteDefinition, routes } from '@annals/contracts';
import { fastifyPath } from '../http/endpoint.js';
import {
  CONSOLE_PATHS,
  DOCUMENT_PATHS,
  QUEUE_UI_PATH,
  PERSON_PAGE_PATHS,
  RESOURCE_METADATA_PATHS,
  SIGN_IN_PATHS,
} from '../http/route-table.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
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

  describe('as a page', () => {
    const read = async (path: string) => {
      const response = await fetch(new URL(path, `${gateway.url}/docs`));
      return { response, header: (name: string) => response.headers.get(name), text: await response.text() };
    };
    const findUrls = (page: string) => Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, url]) => url!);

    it('allows no inline script or style, and no other host', async () => {
      const { response, header, text } = await read('/docs');
      expect(response.status).toBe(200);
      expect(header('content-type')).toBe('text/html; charset=utf-8');
      const policy = new Map(
        header('content-security-policy')!
          .split('; ')
          .map((part) => part.split(/ (.*)/) as [string, string]),
      );
      expect(policy.get('default-src')).toBe("'none'");
      expect(['script-src', 'style-src', 'connect-src'].map((name) => policy.get(name))).toEqual(
        Array(3).fill("'self'"),
      );
      expect(header('content-security-policy')).not.toMatch(/unsafe|http|\*/);
      expect(text).not.toMatch(/<style|style=|<script>|\son\w+=|https?:|\/\//);
      expect(findUrls(text).every((url) => new URL(url, `${gateway.url}/docs`).origin === gateway.url)).toBe(true);
    });

    it('serves everything the page loads, cached when the URL has a version', async () => {
      const urls = findUrls((await read('/docs')).text);
      const loaded = await Promise.all(urls.map(async (url) => ({ url, ...(await read(url)) })));
      const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', json: 'application/json' };
      expect(loaded.length).toBe(4);
      for (const { url, response, header } of loaded) {
        expect(response.status).toBe(200);
        const extension = new URL(url, gateway.url).pathname.split('.').at(-1) as keyof typeof types;
        expect(header('content-type')).toContain(types[extension]);
        expect(header('x-content-type-options')).toBe('nosniff');
        expect(header('cache-control')).toBe(url.includes('?v=') ? 'public, max-age=31536000, immutable' : 'no-store');
      }
      expect(loaded.find(({ url }) => url.includes('.css'))!.text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//);
      expect(loaded.find(({ url }) => url.includes('start.js'))!.text).toMatch(
        /url: 'openapi\.json'.*validatorUrl: null/,
      );
    });

    it('lets nobody cache a file under the version of another release', async () => {
      for (const query of ['', '?v=0', '?v=1&v=2'])
        expect((await read(`/docs/swagger-ui.css${query}`)).header('cache-control')).toBe('no-store');
    });

    it('serves no other file of the package', async () => {
      for (const name of ['index.html', 'package.json', '..%2fpackage.json'])
        expect((await read(`/docs/${name}`)).response.status).toBe(404);
    });
  });

  it('covers all bound routes: each of the table once, and no others', () => {
    const fastify = gateway.app.getHttpAdapter().getInstance();
    const all = listRoutes(fastify.printRoutes({ commonPrefix: false }));
    // Pages for operators, which are no part of the API.
    const bound = all.filter((route) => !route.includes(` ${QUEUE_UI_PATH}`));
    expect(bound.length).toBeLessThan(all.length);
    const table = Object.values<RouteDefinition>(routes).map(({ method, path }) => `${method} ${fastifyPath(path)}`);
    // `printRoutes` leaves out the slash in front of a wildcard.
    const pages = [...DOCUMENT_PATHS, ...CONSOLE_PATHS, ...PERSON_PAGE_PATHS, ...RESOURCE_METADATA_PATHS].map((path) =>
      path.replace('/*', '*'),
    );
    expect(bound).toEqual(
      [...table, ...pages.map((path) => `GET ${path}`), ...SIGN_IN_PATHS.map((path) => `POST ${path}`)].toSorted(),
    );
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
