import type { HistoryPage, Memory, MemoryWritten } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('writes with If-Match', () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    key = await gateway.makeKey({ tenantId: await gateway.makeTenant('conditional') });
  });
  afterAll(() => gateway.close());

  let users = 0;
  const add = async (content = 'The user likes tea.') => {
    const body = { user_id: `user-${(users += 1)}`, content, category: 'preferences' };
    const { body: written } = await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body });
    return written.memory;
  };
  const change = <Body = MemoryWritten>(method: string, path: string, revision: string, body?: object) =>
    gateway.send<Body>(key, method, path, { headers: { 'if-match': revision }, ...(body ? { body } : {}) });

  it('return the revision as ETag with every response that contains a memory', async () => {
    const { id } = await add();
    const path = `/v1/memories/${id}`;
    const etag = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('etag');
    expect(await etag(gateway.send(key, 'GET', path))).toBe('"1"');
    expect(await etag(change('PATCH', path, '"1"', { pinned: true }))).toBe('"2"');
    expect(await etag(change('DELETE', path, '"2"'))).toBe('"3"');
    expect(await etag(change('POST', `${path}/restore`, '"3"'))).toBe('"4"');
    expect(await etag(change('POST', `${path}/undo`, '"4"'))).toBe('"5"');
  });

  it.each([
    ['PATCH', '', { pinned: true }],
    ['PATCH', '', { content: 'The user likes coffee.' }],
    ['DELETE', '', undefined],
    ['POST', '/undo', undefined],
  ])(
    'refuse %s %s with an outdated revision, return the current one and change nothing',
    async (method, suffix, body) => {
      const { id } = await add();
      const path = `/v1/memories/${id}`;
      await gateway.send(key, 'PATCH', path, { body: { importance: 5 } });
      const before = await gateway.send<Memory>(key, 'GET', path);
      const refused = await change(method, path + suffix, '"1"', body);
      expect(refused).toMatchObject({
        status: 412,
        body: { code: 'revision_conflict', detail: expect.stringContaining('"2"'), current_version: 2 },
      });
      expect((await gateway.send<Memory>(key, 'GET', path)).body).toEqual(before.body);
      const { body: history } = await gateway.send<HistoryPage>(key, 'GET', `${path}/history`);
      expect(history.items).toHaveLength(2);
      expect((await change(method, path + suffix, '"2"', body)).status).toBe(200);
    },
  );

  it('refuse to restore a memory that was deleted again since', async () => {
    const { id } = await add();
    const path = `/v1/memories/${id}`;
    const { headers } = await gateway.send(key, 'DELETE', path);
    await gateway.send(key, 'POST', `${path}/restore`);
    await gateway.send(key, 'DELETE', path);
    expect((await change('POST', `${path}/restore`, headers.get('etag')!)).status).toBe(412);
  });

  it('accept a star, and refuse anything but an ETag of this API', async () => {
    const { id } = await add();
    expect((await change('PATCH', `/v1/memories/${id}`, '*', { pinned: true })).status).toBe(200);
    expect(await change('PATCH', `/v1/memories/${id}`, 'W/"2"', { pinned: false })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'headers.if-match' }] },
    });
  });

  it('accept only one of many concurrent writes with the same revision, and refuse the others with 412', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await add();
      const path = `/v1/memories/${id}`;
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, agent) =>
          change(
            'PATCH',
            path,
            '"1"',
            agent % 2 === 0
              ? { importance: (agent % 5) + 1, pinned: true }
              : { content: `The user likes drink ${agent}.` },
          ),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
      const { body } = await gateway.send<Memory>(key, 'GET', path);
      expect(body.revision).toBe(2);
    }
  });

  it('lose no update when every agent reads again after a conflict', async () => {
    const { id } = await add();
    const path = `/v1/memories/${id}`;
    const step = async (): Promise<void> => {
      const { body: seen, headers } = await gateway.send<Memory>(key, 'GET', path);
      const patch = { pinned: !seen.pinned };
      const { status } = await change('PATCH', path, headers.get('etag')!, patch);
      if (status === 412) return step();
      expect(status).toBe(200);
    };
    await Promise.all(Array.from({ length: 10 }, () => step()));
    // Ten changes, each of which was based on the one before.
    const { body } = await gateway.send<Memory>(key, 'GET', path);
    expect(body).toMatchObject({ pinned: false, revision: 11 });
  });
});
