import { request } from 'node:http';
import { Readable } from 'node:stream';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const LIMIT = 4_096;

describe('limit of bytes per minute', () => {
  let gateway: TestGateway;
  let tenantId: string;
  beforeAll(async () => {
    const limits = { ANNALS_RATE_LIMIT_BYTES_PER_MINUTE: `${LIMIT}`, ANNALS_BODY_LIMIT_BYTES: `${LIMIT}` };
    gateway = await startGateway({ env: limits });
    tenantId = await gateway.makeTenant('bytes');
  });
  afterAll(() => gateway.close());

  const bodyOf = (length: number) => {
    const empty = JSON.stringify({ user_id: 'u', messages: [{ role: 'user', content: '' }] });
    const content = 'x'.repeat(length - empty.length);
    return JSON.stringify({ user_id: 'u', messages: [{ role: 'user', content }] });
  };
  const post = (key: string, raw: string) => gateway.send(key, 'POST', '/v1/conversations', { raw });

  it('counts bodies per key, and refuses one that exceeds what remains, with Retry-After and the limit', async () => {
    const [one, two] = await Promise.all([gateway.makeKey({ tenantId }), gateway.makeKey({ tenantId })]);
    const accepted = await post(one, bodyOf(3_000));
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('ratelimit-policy')).toContain(`"bytes";q=${LIMIT};qu="content-bytes";w=60`);
    expect(accepted.headers.get('ratelimit')).toContain(`"bytes";r=${LIMIT - 3_000};`);
    const refused = await post(one, bodyOf(2_000));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.detail).toMatch(
      /4096 bytes in request bodies per minute; 1096 remain, and this body has 2000\./,
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(two, bodyOf(2_000))).status).toBe(202);
    const { body: metrics } = await gateway.infrastructure.metrics.render();
    expect(metrics).toMatch(/memory_llm_rate_limited_requests_total\{[^}]*limit="bytes"[^}]*\} 1$/m);
  });

  it('does not count the bytes of a refused body, nor requests without one', async () => {
    const key = await gateway.makeKey({ tenantId });
    await post(key, bodyOf(3_500));
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await post(key, bodyOf(1_000))).status).toBe(429);
    const read = await gateway.send(key, 'GET', '/v1/memories');
    expect(read.status).toBe(200);
    expect(read.headers.get('ratelimit')).toContain(`"bytes";r=${LIMIT - 3_500};`);
    expect((await post(key, bodyOf(LIMIT - 3_500))).status).toBe(202);
  });

  it('does not count a body that is too large for one request', async () => {
    const key = await gateway.makeKey({ tenantId });
    expect((await post(key, bodyOf(LIMIT + 1))).status).toBe(413);
    expect((await post(key, bodyOf(LIMIT))).status).toBe(202);
  });

  it('counts a body that is sent in chunks, without its length', async () => {
    const key = await gateway.makeKey({ tenantId });
    expect(await postInChunks(gateway.url, key, bodyOf(3_000))).toBe(202);
    expect(await postInChunks(gateway.url, key, bodyOf(3_000))).toBe(429);
  });

  it('counts it whether it is valid or not', async () => {
    const key = await gateway.makeKey({ tenantId });
    expect(await postInChunks(gateway.url, key, '{'.repeat(3_000))).toBe(400);
    expect(await postInChunks(gateway.url, key, '{'.repeat(3_000))).toBe(429);
  });
});

function postInChunks(url: string, key: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${url}/v1/conversations`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    Readable.from([body.slice(0, 100), body.slice(100)]).pipe(sent);
  });
}
