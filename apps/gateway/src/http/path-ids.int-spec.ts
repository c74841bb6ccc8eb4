import fc from 'fast-check';
import type { UserContext } from '@annals/contracts';
import { request } from 'node:http';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const RUNS = 60;

/** Any identifier that is accepted; characters that mean something in a URL are more frequent. */
const anyId = fc
  .array(
    fc.oneof(
      fc.constantFrom('.', '..', '/', '%', '%2e', '%2F', '?', '#', '\\', ';', '+', '&', ':'),
      fc.string({ unit: 'binary' }),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''))
  .filter((id) => id !== '' && id.length <= 180 && id.trim() === id && !id.includes(String.fromCharCode(0)))
  .filter((id) => id !== '.' && id !== '..');

describe('identifiers in paths', () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    key = await gateway.makeKey({ tenantId: await gateway.makeTenant('paths') });
  });
  afterAll(() => gateway.close());

  const message = { role: 'user', content: 'Hello.' };

  it('reach what was stored under them, whatever characters they have', async () => {
    await fc.assert(
      fc.asyncProperty(anyId, async (id) => {
        const path = `/v1/users/${encodeURIComponent(id)}`;
        const put = await gateway.send(key, 'PUT', `${path}/context`, { body: { tone: 'brief' } });
        expect(put.status).toBe(200);
        expect((await gateway.send<UserContext>(key, 'GET', `${path}/context`)).body.user_id).toBe(id);
        const checkpoint = `/v1/checkpoints/${encodeURIComponent(id)}/${encodeURIComponent(id)}`;
        expect((await gateway.send(key, 'PUT', checkpoint, { body: { data: 1 } })).status).toBeLessThan(300);
        expect(await gateway.send(key, 'GET', checkpoint)).toMatchObject({ body: { user_id: id, thread_id: id } });
        const graph = `/v1/langgraph/threads/${encodeURIComponent(id)}`;
        const saved = await gateway.send(key, 'PUT', `${graph}/checkpoints/${encodeURIComponent(id)}`, {
          body: { user_id: id, metadata: {}, state: id },
        });
        expect(saved.status).toBe(200);
        const read = await gateway.send(key, 'GET', `${graph}/checkpoint?checkpoint_id=${encodeURIComponent(id)}`);
        expect(read).toMatchObject({ status: 200, body: { thread_id: id, checkpoint_id: id, state: id } });
        const task = `${graph}/checkpoints/${encodeURIComponent(id)}/writes/${encodeURIComponent(id)}`;
        expect(await gateway.send(key, 'PUT', task, { body: { writes: [] } })).toMatchObject({ status: 200 });
        expect((await gateway.send(key, 'DELETE', path)).status).toBe(200);
        expect((await gateway.send(key, 'GET', `${graph}/checkpoint`)).status).toBe(404);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['.', '..'])('are refused when nothing stored under %s could be reached', async (id) => {
    for (const [path, body, field] of [
      ['/v1/conversations', { user_id: id, messages: [message] }, 'body.user_id'],
      ['/v1/conversations', { user_id: 'u', thread_id: id, messages: [message] }, 'body.thread_id'],
      ['/v1/memories', { user_id: id, content: 'A fact.', category: 'tasks' }, 'body.user_id'],
      ['/v1/memories', { user_id: 'u', thread_id: id, content: 'A fact.', category: 'tasks' }, 'body.thread_id'],
      ['/v1/langgraph/threads/t/copy', { thread_id: id }, 'body.thread_id'],
      ['/v1/admin/keys', { name: 'k', scopes: ['query'], user_id: id }, 'body.user_id'],
    ] as const) {
      const answer = await gateway.send(key, 'POST', path, { body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path: field }] } });
      expect(answer.body.detail).toContain('cannot be sent in the path of a URL');
    }
  });

  it('are found as they are by clients that do not resolve them: what an earlier release stored can be erased', async () => {
    const tenantId = await gateway.makeTenant('earlier');
    const admin = await gateway.makeKey({ tenantId });
    await gateway.database.inTenant(tenantId, (tx) =>
      tx.execute('INSERT INTO users (user_id, created_at) VALUES ($1, $2)', ['..', new Date()]),
    );
    expect(await sendAsItIs('DELETE', '/v1/users/..', admin)).toBe(200);
    expect(await sendAsItIs('PUT', '/v1/checkpoints/../t', admin)).toBe(400);
    for (const path of ['../checkpoints/c', 't/checkpoints/..', 't/checkpoints/c/writes/..'])
      expect(await sendAsItIs('PUT', `/v1/langgraph/threads/${path}`, admin)).toBe(400);
  });

  function sendAsItIs(method: string, path: string, by: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(gateway.url);
      const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json' };
      const sent = request({ hostname, port, method, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(method === 'PUT' ? '{"data":1}' : undefined);
    });
  }
});
