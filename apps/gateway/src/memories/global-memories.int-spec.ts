import {
  externalIdSchema,
  GLOBAL_OWNER,
  type HistoryPage,
  type Memory,
  type MemoryPage,
  type MemoryWritten,
  pathIdSchema,
  type Problem,
  type RouteDefinition,
  routes,
} from '@annals/contracts';
import { createExpiryJob } from '@annals/runtime';
import { verifyAudit } from '@annals/storage';
import { ShiftedClock } from '@annals/testing';
import { REQUEST_BODIES } from '../fixtures/request-bodies.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const DAY_MS = 86_400_000;
const ID = '019a0000-0000-7000-8000-000000000000';

describe('global memories over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let admin: string;
  let tenants = 0;

  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_MINDS: 'on' } });
  });
  afterAll(() => gateway?.close());
  beforeEach(async () => {
    tenantId = await gateway.makeTenant(`global ${++tenants}`);
    admin = await gateway.makeKey({ tenantId });
  });

  const add = (content: string, rest: object = {}, { key = admin, headers = {} } = {}) =>
    gateway.send<MemoryWritten>(key, 'POST', '/v1/global/memories', {
      body: { content, category: 'knowledge', ...rest },
      headers,
    });
  const list = (search = '', key = admin) => gateway.send<MemoryPage>(key, 'GET', `/v1/global/memories${search}`);
  const remove = <Body = Memory>(id: string, { key = admin, headers = {} } = {}) =>
    gateway.send<Body>(key, 'DELETE', `/v1/global/memories/${id}`, { headers });
  const read = (id: string, key = admin) => gateway.send<Memory>(key, 'GET', `/v1/memories/${id}`);
  const addOf = (user_id: string, content: string, rest: object = {}) =>
    gateway.send<MemoryWritten>(admin, 'POST', '/v1/memories', {
      body: { user_id, content, category: 'knowledge', ...rest },
    });
  const contentsOf = ({ body }: { readonly body: MemoryPage }) => body.items.map(({ content }) => content);

  it('are added like memories of a user, and belong to none', async () => {
    const { status, body, headers } = await add('The shop opens at nine.', { importance: 4, pinned: true });
    expect([status, body]).toMatchObject([
      201,
      {
        outcome: 'inserted',
        memory: { scope: 'global', user_id: null, origin: 'manual', importance: 4, pinned: true, sources: [] },
      },
    ]);
    expect(headers.get('etag')).toBe('"1"');
    expect(await read(body.memory.id)).toMatchObject({ status: 200, body: body.memory });
    expect(await addOf('ada', 'The shop opens at nine.')).toMatchObject({
      status: 201,
      body: { outcome: 'inserted', memory: { scope: 'user', user_id: 'ada' } },
    });
  });

  it('answer the same text, the same key and another text under it as memories of a user do', async () => {
    const headers = { 'idempotency-key': 'hours' };
    const first = await add('The shop opens at nine.', {}, { headers });
    const again = await add('The shop opens at nine.', {}, { headers });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await add('The shop opens at ten.', {}, { headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect(await add('the shop opens at nine')).toMatchObject({
      status: 200,
      body: { memory: { id: first.body.memory.id } },
    });
    expect((await list()).body.items).toHaveLength(1);
  });

  it('are redacted, and held to the writing constraints and to the fields of a memory', async () => {
    expect((await add('Write to help@shop.example for help.')).body.memory.content).not.toContain('help@shop.example');
    expect((await add('I open the shop at nine.')).body.warnings).toMatchObject([{ code: 'not_third_person' }]);
    expect(await add('How to return a parcel', { type: 'procedural', category: 'procedural' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.steps' }] },
    });
    for (const field of ['user_id', 'thread_id'])
      expect(await add('The shop is closed.', { [field]: 'ada' })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
  });

  it('are listed alone, by filters and page by page, and not among those of users', async () => {
    const contents = ['The shop opens at nine.', 'Parcels take two days.', 'Returns are free.'];
    for (const content of contents) await add(content);
    await add('Be brief.', { category: 'tone', pinned: true });
    await addOf('ada', 'The user has a parcel.');
    const first = await list('?limit=2&category=knowledge');
    const second = await list(`?limit=2&category=knowledge&cursor=${first.body.next_cursor}`);
    expect([...contentsOf(first), ...contentsOf(second)]).toEqual(contents.toReversed());
    expect(second.body.next_cursor).toBeNull();
    expect(contentsOf(await list('?pinned=true'))).toEqual(['Be brief.']);
    const all = await gateway.send<MemoryPage>(admin, 'GET', '/v1/memories');
    expect(contentsOf(all)).toEqual(['The user has a parcel.']);
    const reader = await gateway.makeKey({ tenantId, scopes: ['query'] });
    expect((await list('', reader)).body.items).toHaveLength(4);
    expect(await list('?state=soft_deleted', reader)).toMatchObject({ status: 403, body: { code: 'forbidden_scope' } });
    const planner = await gateway.makeKey({ tenantId, scopes: ['query'], userId: 'ada', categories: ['tone'] });
    expect(contentsOf(await list('', planner))).toEqual(['Be brief.']);
    expect((await list('?category=knowledge', planner)).status).toBe(403);
  });

  it('are deleted at the revision that the caller knows, restored and changed by id', async () => {
    const { id } = (await add('The shop opens at nine.')).body.memory;
    expect(await remove<Problem>(id, { headers: { 'if-match': '"7"' } })).toMatchObject({
      status: 412,
      body: { code: 'revision_conflict', current_version: 1 },
    });
    expect(await remove(id)).toMatchObject({ status: 200, body: { state: 'soft_deleted', user_id: null } });
    expect((await list()).body.items).toEqual([]);
    expect(contentsOf(await list('?state=soft_deleted'))).toEqual(['The shop opens at nine.']);
    expect((await gateway.send(admin, 'POST', `/v1/memories/${id}/restore`)).status).toBe(200);
    const body = { content: 'The shop opens at ten.' };
    const { body: patched } = await gateway.send<MemoryWritten>(admin, 'PATCH', `/v1/memories/${id}`, { body });
    expect(patched).toMatchObject({ outcome: 'superseded', memory: { scope: 'global', user_id: null, ...body } });
    const history = await gateway.send<HistoryPage>(admin, 'GET', `/v1/memories/${id}/history`);
    expect(history.body.items.map(({ event }) => event)).toEqual(['UPDATE', 'RESTORE', 'DELETE', 'ADD']);
    const { memory } = (await addOf('ada', 'The user has a parcel.')).body;
    expect((await remove(memory.id)).status).toBe(404);
    expect((await remove(ID)).status).toBe(404);
  });

  it('are read by every key of the tenant, and written by unbound ones with the scope admin alone', async () => {
    const { id } = (await add('The shop opens at nine.')).body.memory;
    const bound = await gateway.makeKey({ tenantId, userId: 'ada' });
    expect((await read(id, bound)).body).toMatchObject({ content: 'The shop opens at nine.', scope: 'global' });
    expect((await gateway.send(bound, 'GET', `/v1/memories/${id}/history`)).status).toBe(200);
    for (const [keyOptions, code] of [
      [{ userId: 'ada' }, 'forbidden_user'],
      [{ agentId: 'planner' }, 'forbidden_agent'],
      [{ categories: ['knowledge'] }, 'forbidden_category'],
      [{ scopes: ['ingest', 'query'] }, 'forbidden_scope'],
    ] as const) {
      const key = await gateway.makeKey({ tenantId, ...keyOptions });
      expect(await add('The shop is closed.', {}, { key })).toMatchObject({ status: 403, body: { code } });
      expect(await remove<Problem>(id, { key })).toMatchObject({ status: 403, body: { code } });
      // An allowlist may hide the category.
      if (code === 'forbidden_agent') continue;
      for (const [method, path, body] of [
        ['PATCH', '', { importance: 5 }],
        ['PATCH', '', { content: 'The shop is closed.' }],
        ['DELETE', '', undefined],
        ['POST', '/undo', undefined],
      ] as const)
        expect(await gateway.send(key, method, `/v1/memories/${id}${path}`, { body })).toMatchObject({
          status: 403,
          body: { code },
        });
    }
    expect((await read(id)).body).toMatchObject({ state: 'active', revision: 1 });
  });

  it('have an owner that no field of any request can name', async () => {
    for (const schema of [externalIdSchema, pathIdSchema])
      expect(schema.safeParse(GLOBAL_OWNER).error?.issues).toMatchObject([{ message: /white space/ }]);
    await add('The shop opens at nine.');
    const names = { user: GLOBAL_OWNER, agent: 'planner', category: 'tasks' };
    let requests = 0;
    for (const [name, route] of Object.entries<RouteDefinition>(routes)) {
      const shape = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
      const isUser = (field: string) => field === 'user_id';
      const fieldsOf = { params: shape(route.params), query: shape(route.query), body: shape(route.body) };
      const isFiltered = fieldsOf.body.includes('filters');
      if (!isFiltered && !Object.values(fieldsOf).flat().some(isUser)) continue;
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
        field === 'id' ? ID : isUser(field) ? encodeURIComponent(GLOBAL_OWNER) : 't',
      );
      const search = fieldsOf.query.some(isUser) ? `?user_id=${encodeURIComponent(GLOBAL_OWNER)}` : '';
      const named = fieldsOf.body.some(isUser) ? { user_id: GLOBAL_OWNER } : {};
      const body = route.body && { ...REQUEST_BODIES[name as keyof typeof REQUEST_BODIES](names), ...named };
      const answer = await gateway.send(admin, route.method, `${path}${search}`, { body });
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'validation_failed']);
      expect(answer.body.errors!.map((error) => error.path).join()).toMatch(/user_id/);
      requests += 1;
    }
    expect(requests).toBeGreaterThan(20);
  });

  it('appear under no user, in no work of minds and in no export, and are in the audit history', async () => {
    const { id } = (await add('The shop opens at nine.')).body.memory;
    await addOf('ada', 'The user has a parcel.');
    const { body: events } = await gateway.send<{ items: { memory_id: string; user_id: string | null }[] }>(
      admin,
      'GET',
      '/v1/events',
    );
    expect(events.items.find((event) => event.memory_id === id)).toMatchObject({ user_id: null });
    const { body: work } = await gateway.send<{ items: { kind: string; user_id: string }[] }>(
      admin,
      'GET',
      '/v1/admin/work',
    );
    expect(work.items.map(({ kind, user_id }) => [kind, user_id])).toEqual([['consolidation', 'ada']]);
    const exported = await gateway.send(admin, 'GET', '/v1/users/ada/export');
    expect(JSON.stringify(exported.body)).not.toContain('opens at nine');
    const answers = [events, work, (await gateway.send(admin, 'GET', '/v1/usage')).body, (await list()).body];
    expect(JSON.stringify(answers)).not.toContain(GLOBAL_OWNER);
    const findings: unknown[] = [];
    const scope = { tenantId, keys: [], report: (finding: unknown) => findings.push(finding) };
    expect(await verifyAudit(gateway.database, scope)).toMatchObject({ users: 2, rows: 2, memories: 2 });
    expect(findings).toEqual([]);
  });

  it('stay when a user is erased, has their memories forgotten, or years pass', async () => {
    const { memory } = (await add('Ada lives in Lisbon.', { importance: 1 })).body;
    await addOf('ada', 'Ada lives in Lisbon.');
    await gateway.send(admin, 'POST', '/v1/conversations', {
      body: { user_id: 'ada', messages: [{ role: 'user', content: 'I live in Lisbon.' }] },
    });
    const forgotten = await gateway.send<{ counts: { memories: number } }>(admin, 'POST', '/v1/memories/forget', {
      body: { user_id: 'ada', text: 'everything about Lisbon', dry_run: false },
    });
    expect(forgotten.body.counts.memories).toBe(1);
    const erased = await gateway.send(admin, 'DELETE', '/v1/users/ada');
    expect(erased.status).toBe(200);
    const idle = (await addOf('ben', 'Ben lives in Graz.', { importance: 1 })).body.memory;
    const { ids, metrics } = gateway.infrastructure;
    const retention = { ttlMs: 60 * DAY_MS, minRetainedImportance: 3, purgeAfterMs: 30 * DAY_MS, intervalMs: 1_000 };
    await createExpiryJob({ ids, metrics, retention }).run({
      database: gateway.database,
      clock: new ShiftedClock(900 * DAY_MS),
      signal: new AbortController().signal,
      cursor: null,
      budgetMs: 60_000,
    });
    expect((await read(idle.id)).body.state).toBe('soft_deleted');
    expect((await read(memory.id)).body).toEqual(memory);
  });

  it('are those of one tenant, and deleted with it', async () => {
    const { id } = (await add('The shop opens at nine.')).body.memory;
    const otherTenant = await gateway.makeTenant(`other ${tenants}`);
    const other = await gateway.makeKey({ tenantId: otherTenant });
    await add('The other shop is closed.', {}, { key: other });
    expect(contentsOf(await list('', other))).toEqual(['The other shop is closed.']);
    expect((await read(id, other)).status).toBe(404);
    expect((await remove(id, { key: other })).status).toBe(404);
    const operator = await gateway.makeOperatorKey();
    expect((await gateway.send(operator, 'DELETE', `/v1/operator/tenants/${tenantId}`)).status).toBe(200);
    const rows = await gateway.database.readTenant(tenantId, (tx) => tx.query('SELECT FROM users'));
    expect(rows).toEqual([]);
    expect((await list('', other)).body.items).toHaveLength(1);
  });
});
