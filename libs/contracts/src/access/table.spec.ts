import type { RouteDefinition } from '../http/route-definition.js';
import { routes } from '../http/routes.js';
import { ROUTE_ACCESS } from './table.js';

const ROUTES = Object.entries<RouteDefinition>(routes);

/** Names of fields that name a user, an agent in whose name a request is sent, or categories that it reads or writes. */
const NAMED = { user_id: 'user', categories: 'categories', category: 'categories' } as const;

/** `body.filters.user_id` and the like for every field of a route's requests. */
function listFields(route: RouteDefinition): string[] {
  const shapes = (['params', 'query', 'body'] as const).map((part) => [part, shapeOf(route[part])] as const);
  return shapes.flatMap(([part, shape]) =>
    Object.entries(shape).flatMap(([name, schema]) => [
      `${part}.${name}`,
      ...(name === 'filters' ? Object.keys(shapeOf(schema)).map((inner) => `${part}.${name}.${inner}`) : []),
    ]),
  );
}

function shapeOf(schema: unknown): Record<string, unknown> {
  return (schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
}

describe('the table of key bindings', () => {
  it('has one entry for each route and no others', () => {
    expect(Object.keys(ROUTE_ACCESS).toSorted()).toEqual(Object.keys(routes).toSorted());
  });

  it.each(ROUTES)('limits %s by each field that names a user or categories, unless it is refused', (name, route) => {
    const access = ROUTE_ACCESS[name]!;
    for (const field of listFields(route)) {
      const binding = NAMED[field.split('.').at(-1) as keyof typeof NAMED] as 'user' | 'categories' | undefined;
      if (!binding || access[binding].effect === 'refused') continue;
      expect(access[binding]).toMatchObject({ effect: 'limits', fields: expect.arrayContaining([field]) });
    }
  });

  it.each(ROUTES.filter(([, { scopes }]) => scopes !== 'public' && !scopes.includes('operator')))(
    'says for %s what every binding limits, refuses, or why it does not matter',
    (name) => {
      const { user, agent, categories } = ROUTE_ACCESS[name]!;
      for (const rule of [user, agent, categories]) expect(rule.effect).not.toBe('none');
      for (const rule of [user, agent, categories]) {
        if (rule.effect === 'limits')
          expect([rule.fields?.length, rule.rows, rule.category, rule.allowlist].some(Boolean)).toBe(true);
        else expect(rule.why).toMatch(/^[a-z].{10,}[^.]$/);
      }
    },
  );

  it.each(
    ROUTES.filter(([, { method, scopes }]) => method !== 'GET' && scopes !== 'public' && scopes.includes('ingest')),
  )('gives a receipt of %s to a key that may not read, if the answer has content', (name, { responses }) => {
    const texts = JSON.stringify(Object.values(responses).map((schema) => Object.keys(shapeOf(schema))));
    if (!/"(?:memory|content|context|proposal|preferred_name)"/.test(texts)) return;
    expect(ROUTE_ACCESS[name]!.receipt?.unless).toEqual(['query', 'admin']);
  });
});
