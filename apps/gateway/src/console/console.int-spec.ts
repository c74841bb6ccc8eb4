import type { Problem } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('the console, as the gateway serves it', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const read = (path: string) => fetch(gateway.url + path, { redirect: 'manual' });
  const findUrls = (page: string) => Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, url]) => url!);

  it('is a page that allows nothing inline, no other host and no frame', async () => {
    const response = await read('/console/');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split('; ')).toContain(part);
    expect(await response.text()).not.toMatch(/<style|style=|<script>|\son\w+=|https?:|"\/\//);
  });

  it('allows styles with a nonce that no other response has', async () => {
    const readNonce = async () => {
      const response = await read('/console/');
      const [, nonce] = /style-src 'self' 'nonce-([A-Za-z0-9+/]{24})'/.exec(
        response.headers.get('content-security-policy')!,
      )!;
      expect(await response.text()).toContain(`<meta property="csp-nonce" nonce="${nonce}"`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      return nonce;
    };
    expect(await readNonce()).not.toBe(await readNonce());
  });

  it('has the same page at /console, below whatever path a proxy serves it', async () => {
    const response = await read('/console?from=mail');
    expect([response.status, response.headers.get('location')]).toEqual([308, 'console/']);
  });

  it('serves everything that its page loads, kept for a year where the name changes with the content', async () => {
    const urls = findUrls(await (await read('/console/')).text());
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) {
      const response = await read(new URL(url, `${gateway.url}/console/`).pathname);
      expect([url, response.status, response.headers.get('x-content-type-options')]).toEqual([url, 200, 'nosniff']);
      const isNamedByContent = url.includes('assets/');
      expect(response.headers.get('cache-control')).toBe(
        isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    }
  });

  it('keeps no answer about a file that does not exist', async () => {
    for (const path of ['/console/assets/main-other.js', '/console/.version', '/console/..%2fpackage.json']) {
      const response = await read(path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    }
  });

  it('compresses what a browser loads', async () => {
    const [script] = findUrls(await (await read('/console/')).text()).filter((url) => url.endsWith('.js'));
    const response = await fetch(new URL(script!, `${gateway.url}/console/`), {
      headers: { 'accept-encoding': 'br' },
    });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual(['br', 'accept-encoding']);
  });

  it('exchanges no link where none was issued, and reads no body of strangers', async () => {
    const send = (init: RequestInit) => fetch(`${gateway.url}/console/sign-in`, { method: 'POST', ...init });
    const guess = await send({ headers: { authorization: 'Bearer guess' } });
    expect([guess.status, ((await guess.json()) as Problem).code]).toEqual([401, 'unauthenticated']);
    expect((await send({})).status).toBe(401);
    const headers = { 'content-type': 'application/json' };
    expect((await send({ headers, body: '{"token":"guess"}' })).status).toBe(413);
    const stream = new Blob(['{}']).stream();
    expect((await send({ headers, body: stream, duplex: 'half' })).status).toBe(413);
  });

  it('is not served with ANNALS_CONSOLE=false', async () => {
    const without = await startGateway({ env: { ANNALS_CONSOLE: 'false' } });
    const paths = ['GET /console/', 'GET /console', 'GET /console/icon.svg', 'POST /console/sign-in'];
    const statuses = await Promise.all(
      paths.map(async (request) => {
        const [method, path] = request.split(' ');
        const { status } = await fetch(without.url + path!, { method: method!, redirect: 'manual' });
        return status;
      }),
    );
    await without.close();
    expect(statuses).toEqual([404, 404, 404, 404]);
  });
});
