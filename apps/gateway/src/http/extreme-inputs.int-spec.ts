import { type RouteDefinition, type RouteName, routes } from '@annals/contracts';
import { takeTurns } from '@annals/testing';
import { z } from 'zod';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { REQUEST_BODIES } from '../fixtures/request-bodies.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

type JsonSchema = { properties?: Record<string, JsonSchema>; items?: JsonSchema };
type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly by: 'tenant' | 'operator';
};

const ID = '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e';
const NUL = String.fromCharCode(0);
const CONCURRENCY = 16;

/** Texts at and beyond what PostgreSQL, JavaScript or a calendar can hold, for any field. */
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '1.5',
  '1e309',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '0x7fffffff',
  'NaN',
  'Infinity',
  '-infinity',
  'epoch',
  'now',
  'null',
  'true',
  '.',
  '..',
  '%',
  "'",
  '\\',
  NUL,
  '😀',
  'x'.repeat(201),
  '0000-01-01',
  '0000-00-00',
  '0001-01-01',
  '2026-02-30',
  '9999-12-31',
  '-004713-01-01',
  '+275760-09-13',
  '0000-01-01T00:00:00Z',
  '1900-01-01T00:00:00+23:59',
  '2199-12-31T23:59:59.999999999Z',
  '2026-01-01T24:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ID.toUpperCase(),
  `{${ID}}`,
];
/** Values for fields of bodies, whose texts have no need of being parsed. */
const VALUES = [
  NUL,
  '.',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '1900-01-01T00:00:00+23:59',
  ID.toUpperCase(),
  'x'.repeat(201),
  -1,
  1.5,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  1e308,
  5e-324,
  null,
  true,
  [],
  {},
  [null],
];

/** Parts of forged cursors. */
const PARTS = [
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53 - 1,
  1e308,
  5e-324,
  ID,
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '',
  NUL,
  '\ud800',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '0000-01-01 00:00:00+00',
  '9999-12-31 23:59:59.999999-15:59',
  '2026-01-01 00:00:00+16',
  '2026-01-01 24:00:00+00',
  '2026-01-01 00:00:60+00',
  '0001-01-01 00:00:00+15:59',
];
const CURSORS = PARTS.flatMap((part) => [[part], [part, ID], [part, 'x'], [part, part], [part, part, part]]).map(
  (key) => Buffer.from(JSON.stringify(key)).toString('base64url'),
);

const ROUTES = (Object.entries<RouteDefinition>(routes) as [RouteName, RouteDefinition][]).filter(
  ([, { scopes }]) => scopes !== 'public',
);

function propertiesOf(schema: z.ZodType | undefined): Record<string, JsonSchema> {
  if (!schema) return {};
  return (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema).properties ?? {};
}

describe('no input is answered with 500', () => {
  let gateway: TestGateway;
  let keys: Record<Request['by'], string>;
  /** Rows that exist, so that a request gets as far as the database. */
  let rows: Record<string, string>;

  beforeAll(async () => {
    gateway = await startGateway();
    const fixture = await MemoryFixture.open(gateway, 'extremes');
    keys = { tenant: fixture.key, operator: await gateway.makeOperatorKey() };
    const posted = await gateway.send<{ conversation_id: string; batch_ids: string[] }>(
      fixture.key,
      'POST',
      '/v1/conversations',
      { body: { user_id: 'u', thread_id: 't', messages: [{ role: 'user', content: 'Hello.' }] } },
    );
    rows = {
      '/v1/memories/': await fixture.addMemory('u', 'A statement.'),
      '/v1/conversations/': posted.body.conversation_id,
    };
  });
  afterAll(() => gateway?.close());

  async function send({ method, path, body, by }: Request): Promise<string[]> {
    const { status } = await gateway.send(keys[by], method, path, body === undefined ? {} : { body });
    return status < 500 ? [] : [`${method} ${path} ${JSON.stringify(body)}: ${status}`];
  }

  async function sendAll(requests: readonly Request[]): Promise<string[]> {
    const failed: string[] = [];
    for (let from = 0; from < requests.length; from += CONCURRENCY) {
      failed.push(...(await Promise.all(requests.slice(from, from + CONCURRENCY).map(send))).flat());
    }
    return failed;
  }

  function buildRequest(
    [name, route]: (typeof ROUTES)[number],
    changed: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
  ): Request {
    const [, id = ID] =
      Object.entries(rows).find(([start]) => route.method === 'GET' && route.path.startsWith(start)) ?? [];
    const params: Record<string, string> = { id, user_id: 'u', thread_id: 't', ...changed.params };
    const search = new URLSearchParams({
      ...(name === 'getThreadDelta' ? { user_id: 'u' } : {}),
      ...changed.query,
    }).toString();
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(params[field]!));
    const body = changed.body ?? bodyOf(name, route);
    return {
      method: route.method,
      path: search === '' ? path : `${path}?${search}`,
      ...(body === undefined ? {} : { body }),
      by: route.scopes.includes('operator') ? 'operator' : 'tenant',
    };
  }

  /** A gateway alone has nobody who would answer. */
  function waitsForWorker(name: RouteName, field: string, text: string): boolean {
    return name === 'postConversation' && field === 'dry_run' && text === 'true';
  }

  function bodyOf(name: RouteName, route: RouteDefinition): object | undefined {
    const names = { user: 'u', agent: 'planner', category: 'tasks' };
    return route.body && REQUEST_BODIES[name as keyof typeof REQUEST_BODIES](names);
  }

  it.each(ROUTES)('in a parameter of %s', async (name, route) => {
    const inPlace = (place: 'params' | 'query') =>
      Object.keys(propertiesOf(route[place])).flatMap((field, turn) =>
        takeTurns(TEXTS, turn)
          .filter((text) => !waitsForWorker(name, field, text))
          .map((text) => buildRequest([name, route], { [place]: { [field]: text } })),
      );
    expect(await sendAll([...inPlace('params'), ...inPlace('query')])).toEqual([]);
  });

  it.each(ROUTES.filter(([, { query }]) => query && 'cursor' in query.shape))(
    'in a forged cursor of %s',
    async (name, route) => {
      const groups = name === 'getUsage' ? ['day', 'model', 'user', 'call'] : [undefined];
      const requests = groups.flatMap((group, turn) =>
        takeTurns(CURSORS, turn + name.length).map((cursor) =>
          buildRequest([name, route], { query: { cursor, ...(group ? { group_by: group } : {}) } }),
        ),
      );
      expect(await sendAll(requests)).toEqual([]);
    },
  );

  it.each(ROUTES.filter(([, { body }]) => body !== undefined))('in a field of the body of %s', async (name, route) => {
    const whole = bodyOf(name, route)! as Record<string, unknown>;
    const requests = Object.entries(propertiesOf(route.body)).flatMap(([field, schema], turn) => {
      const alone = takeTurns(VALUES, turn).map((value) => ({ ...whole, [field]: value }));
      const nested = Object.keys(schema.properties ?? schema.items?.properties ?? {}).flatMap((inner, innerTurn) =>
        takeTurns(VALUES, turn + innerTurn).map((value) => {
          const given = schema.items ? (whole[field] as object[])[0] : (whole[field] as object);
          const changed = { ...given, [inner]: value };
          return { ...whole, [field]: schema.items ? [changed] : changed };
        }),
      );
      return [...alone, ...nested].map((body) => buildRequest([name, route], { body }));
    });
    expect(await sendAll(requests)).toEqual([]);
  });
});
