import type { Checkpoint, CheckpointDeleted, CheckpointInfo, CheckpointPage } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('checkpoints over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let threads = 0;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { ANNALS_CHECKPOINT_MAX_BYTES: '1000', ANNALS_CHECKPOINT_KEEP_VERSIONS: '3' },
    });
    tenantId = await gateway.makeTenant('checkpoints');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const newPath = () => `/v1/checkpoints/ada/thread-${++threads}`;
  const put = (path: string, body: object, headers: Record<string, string> = {}) =>
    gateway.send<CheckpointInfo>(key, 'PUT', path, { body, headers });
  const get = (path: string) => gateway.send<Checkpoint>(key, 'GET', path);

  it('saves the first state with 201, the next with 200, and returns the newest', async () => {
    const path = newPath();
    const first = await put(path, { data: { step: 1 } });
    expect(first).toMatchObject({ status: 201, body: { user_id: 'ada', version: 1, oldest_version: 1, bytes: 10 } });
    expect(first.headers.get('etag')).toBe('"1"');
    expect(await put(path, { data: { step: 2 }, version: 1 })).toMatchObject({ status: 200, body: { version: 2 } });
    const read = await get(path);
    expect(read).toMatchObject({ status: 200, body: { version: 2, data: { step: 2 } } });
    expect(read.headers.get('etag')).toBe('"2"');
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('preserves every digit and character of the state', async () => {
    const path = newPath();
    const data = '{"id": 12345678901234567890, "cost":1.10, "a":"\\u0000\\ud800 é"}';
    const sent = await gateway.send(key, 'PUT', path, { raw: `{ "version":0, "data" : ${data} }` });
    expect(sent.status).toBe(201);
    const response = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(await response.text()).toContain(`"data":${data}}`);
  });

  it.each([null, false, 0, '', [], {}])('accepts %j as a state', async (data) => {
    const path = newPath();
    expect((await put(path, { data })).status).toBe(201);
    expect((await get(path)).body.data).toEqual(data);
  });

  it('refuses a missing state, an unknown field, and a state that is too large', async () => {
    const path = newPath();
    expect(await gateway.send(key, 'PUT', path, { body: { version: 0 } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.data' }] },
    });
    expect(await gateway.send(key, 'PUT', path, { body: { data: 1, state: 1 } })).toMatchObject({ status: 400 });
    const tooLong = await gateway.send(key, 'PUT', path, { body: { data: 'x'.repeat(999) } });
    expect(tooLong).toMatchObject({ status: 413, body: { code: 'checkpoint_too_large' } });
    expect(tooLong.body.detail).toContain('ANNALS_CHECKPOINT_MAX_BYTES');
    expect((await get(path)).status).toBe(404);
  });

  it('refuses an outdated version with the current one: 409 for the body, 412 for If-Match', async () => {
    const path = newPath();
    await put(path, { data: 1 });
    await put(path, { data: 2 });
    const stale = { status: 409, body: { code: 'version_conflict', current_version: 2 } };
    const staleMatch = { status: 412, body: { code: 'revision_conflict', current_version: 2 } };
    expect(await put(path, { data: 3, version: 1 })).toMatchObject(stale);
    expect(await put(path, { data: 3 }, { 'if-match': '"1"' })).toMatchObject(staleMatch);
    expect(await put(path, { data: 3, version: 0 })).toMatchObject(stale);
    expect(await put(path, { data: 3, version: 1 }, { 'if-match': '"2"' })).toMatchObject({ status: 400 });
    expect(await gateway.send(key, 'DELETE', path, { headers: { 'if-match': '"1"' } })).toMatchObject(staleMatch);
    expect(await put(path, { data: 3 }, { 'if-match': '"2"' })).toMatchObject({ status: 200, body: { version: 3 } });
    expect(await put(newPath(), { data: 1, version: 4 })).toMatchObject({
      status: 409,
      body: { code: 'version_conflict', current_version: 0 },
    });
  });

  it('accepts only one of two concurrent saves with the same version', async () => {
    const path = newPath();
    await put(path, { data: 'first' });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((data) => put(path, { data, version: 1 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  it('returns earlier versions as long as they are retained', async () => {
    const path = newPath();
    for (const step of [1, 2, 3, 4, 5]) await put(path, { data: { step } });
    expect(await get(`${path}?version=3`)).toMatchObject({
      body: { version: 3, oldest_version: 3, data: { step: 3 } },
    });
    expect((await get(`${path}?version=2`)).status).toBe(404);
    expect((await get(`${path}?version=6`)).status).toBe(404);
    expect((await get(`${path}?version=0`)).status).toBe(400);
  });

  it('saves once when a request is repeated under one Idempotency-Key', async () => {
    const path = newPath();
    const headers = { 'idempotency-key': 'save-once' };
    const first = await put(path, { data: 1, version: 0 }, headers);
    const again = await put(path, { data: 1, version: 0 }, headers);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await put(path, { data: 2, version: 0 }, headers)).toMatchObject({ status: 409 });
    expect((await get(path)).body).toMatchObject({ version: 1, data: 1 });
  });

  it('deletes a state with all versions; the next state continues the numbering', async () => {
    const path = newPath();
    for (const data of [1, 2]) await put(path, { data });
    const remove = () => gateway.send<CheckpointDeleted>(key, 'DELETE', path);
    expect(await remove()).toMatchObject({ status: 200, body: { version: 2, versions: 2 } });
    expect((await remove()).status).toBe(404);
    expect((await get(path)).status).toBe(404);
    expect(await put(path, { data: 3, version: 0 })).toMatchObject({ status: 201, body: { version: 3 } });
  });

  it('lists the checkpoints of a user, page by page', async () => {
    const names = ['x', 'y', 'z'];
    for (const name of names) await put(`/v1/checkpoints/lister/${name}`, { data: name });
    const list = async (query: string) =>
      (await gateway.send<CheckpointPage>(key, 'GET', `/v1/checkpoints/lister${query}`)).body;
    const all = await list('');
    expect(all.items.map(({ thread_id }) => thread_id).toSorted()).toEqual(names);
    expect(JSON.stringify(all)).not.toContain('data');
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect((await gateway.send(key, 'GET', '/v1/checkpoints/lister?cursor=x')).status).toBe(400);
  });

  it('restricts keys to their tenant, user, categories and scopes', async () => {
    const path = newPath();
    await put(path, { data: 'mine' });
    const otherTenantKey = await gateway.makeKey({ tenantId: await gateway.makeTenant('checkpoint strangers') });
    expect((await gateway.send(otherTenantKey, 'GET', path)).status).toBe(404);
    expect((await gateway.send(otherTenantKey, 'DELETE', path)).status).toBe(404);
    const ofBob = await gateway.makeKey({ tenantId, userId: 'bob' });
    for (const method of ['GET', 'DELETE'])
      expect(await gateway.send(ofBob, method, path)).toMatchObject({ status: 403, body: { code: 'forbidden_user' } });
    expect(await gateway.send(ofBob, 'GET', '/v1/checkpoints/ada')).toMatchObject({ status: 403 });
    expect(await gateway.send(ofBob, 'PUT', '/v1/checkpoints/bob/t', { body: { data: 1 } })).toMatchObject({
      status: 201,
    });
    const narrow = await gateway.makeKey({ tenantId, categories: ['goals'] });
    expect(await gateway.send(narrow, 'GET', path)).toMatchObject({
      status: 403,
      body: { code: 'forbidden_category' },
    });
    const reader = await gateway.makeKey({ tenantId, scopes: ['query'] });
    expect((await gateway.send(reader, 'GET', path)).status).toBe(200);
    expect(await gateway.send(reader, 'PUT', path, { body: { data: 1 } })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_scope' },
    });
    expect((await get(path)).body).toMatchObject({ version: 1, data: 'mine' });
  });

  it('logs no content of a state', () => {
    expect(gateway.log.join('')).not.toContain('"mine"');
  });
});
