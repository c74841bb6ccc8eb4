import { ManualClock, SystemClock } from '@annals/domain';
import { hashApiKey, findApiKey } from '@annals/storage';
import { createTestPool } from '@annals/testing';
import { QueueUi, Visitor } from './queue-ui.fixture.js';
import { OperatorSessions, SESSION_MS } from './session/operator-sessions.js';
import { sealSession } from './session/session-token.js';
import type { Authenticator } from '../auth/authenticator.js';
import type { RequestLimits } from '../auth/request-limits.js';

const PAGES = ['', '/', '/queue/extraction', '/work', '/logout', '/static/images/logo.svg'];
const DATA = ['/api/queues', '/api/queues/extraction/extraction-1', '/api/redis/stats'];
const COOKIE = /^annals_queues=([^;]+); Path=\/admin\/queues; Max-Age=28800; HttpOnly; SameSite=Strict(; Secure)?$/;

describe('the queue UI', () => {
  let ui: QueueUi;
  let operatorKey: string;
  let nobody: Visitor;
  let addresses = 0;
  beforeAll(async () => {
    ui = await QueueUi.open({ env: { ANNALS_TRUSTED_PROXIES: '127.0.0.1, ::1' }, queue: ({ queue }) => queue });
    operatorKey = await ui.gateway.makeOperatorKey();
  });
  beforeEach(() => {
    ui.gateway.log.length = 0;
    // Failed attempts count by address.
    nobody = new Visitor(ui.gateway.url, { 'x-forwarded-for': `10.0.0.${++addresses}` });
  });
  afterAll(() => ui.close());

  const tokenOf = async (visitor: Visitor) =>
    /name="token" value="([^"]+)"/.exec((await visitor.get('/logout')).text)![1]!;

  describe('without a session', () => {
    it.each(PAGES)('leads from %s to the login', async (page) => {
      const { status, headers, text } = await nobody.get(page);
      expect([status, headers.get('location'), text]).toEqual([303, '/admin/queues/login', '']);
    });

    it.each(DATA)('refuses %s', async (path) => {
      const { status, text } = await nobody.get(path);
      expect(status).toBe(401);
      expect(JSON.parse(text)).toEqual({ error: expect.stringContaining('Log in') as string });
    });

    it('refuses every change', async () => {
      for (const path of [
        '/logout',
        '/work/extraction/retry-failed',
        `/work/vectors/${ui.tenantId}/${ui.tenantId}/retry`,
      ])
        expect((await nobody.submit(path, {})).status).toBe(401);
      expect(ui.actions()).toEqual([]);
    });

    it('does not accept an API key in place of a session', async () => {
      const { status } = await nobody.with({ authorization: `Bearer ${operatorKey}` }).get('/api/queues');
      expect(status).toBe(401);
    });
  });

  describe('the login', () => {
    it('gives a cookie that no script can read and no other site sends, and is audited', async () => {
      const { status, headers } = await nobody.submit('/login', { key: ` ${operatorKey}\n` });
      expect([status, headers.get('location')]).toEqual([303, '/admin/queues']);
      expect(headers.get('set-cookie')).toMatch(COOKIE);
      expect(headers.get('set-cookie')).not.toContain('Secure');
      const { keyId } = (await findApiKey(ui.gateway.database, hashApiKey(operatorKey)))!;
      expect(ui.gateway.logged('queue_session_opened')).toEqual([{ byKeyId: keyId, address: `10.0.0.${addresses}` }]);
      expect(ui.gateway.log.join('')).not.toContain(operatorKey);
    });

    it('gives a cookie for HTTPS only, when a trusted proxy says that the request came by it', async () => {
      const { headers } = await nobody.with({ 'x-forwarded-proto': 'https' }).submit('/login', { key: operatorKey });
      expect(headers.get('set-cookie')).toMatch(/; Secure$/);
    });

    it('refuses an unknown key and a tenant’s, without a cookie, and records both', async () => {
      const unknown = await nobody.submit('/login', { key: 'ann_nobody' });
      expect([unknown.status, unknown.headers.get('set-cookie')]).toEqual([401, null]);
      expect(unknown.text).toContain('unknown, revoked or expired');
      const tenants = await nobody.submit('/login', { key: await ui.gateway.makeKey({ tenantId: ui.tenantId }) });
      expect([tenants.status, tenants.headers.get('set-cookie')]).toEqual([403, null]);
      expect(tenants.text).toContain('key of a tenant');
      const route = '/admin/queues/login';
      expect(ui.gateway.logged('authentication_failed')).toMatchObject([{ reason: 'unknown', route }]);
      expect(ui.gateway.logged('request_forbidden')).toMatchObject([{ code: 'forbidden_scope', route }]);
    });

    it('lets an address guess a few times a minute only', async () => {
      const attempts = await Promise.all(
        Array.from({ length: 70 }, (_, n) => nobody.submit('/login', { key: `ann_${n}` })),
      );
      expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([401, 429]));
      expect((await nobody.submit('/login', { key: 'ann_x' })).text).toContain('Wait');
    });

    it('refuses a form from another site, so that nobody is logged in without wanting it', async () => {
      const { status, headers } = await nobody.submit(
        '/login',
        { key: operatorKey },
        { 'sec-fetch-site': 'cross-site' },
      );
      expect([status, headers.get('set-cookie')]).toEqual([403, null]);
      expect(ui.gateway.logged('queue_request_refused')).toMatchObject([{ reason: 'cross_site' }]);
    });

    it('takes forms and nothing else', async () => {
      const headers = { 'content-type': 'application/json' };
      expect((await nobody.submit('/login', { key: operatorKey }, headers)).status).toBe(415);
      const large = await nobody.submit('/login', { key: 'x'.repeat(5_000) });
      expect(large.status).toBe(413);
    });
  });

  describe('a session', () => {
    let operator: Visitor;
    beforeEach(async () => (operator = await ui.logIn(operatorKey)));

    it('ends at the logout, which is audited', async () => {
      const { headers } = await operator.submit('/logout', { token: await tokenOf(operator) });
      expect(headers.get('location')).toBe('/admin/queues/login');
      expect(headers.get('set-cookie')).toMatch(/^annals_queues=; Path=\/admin\/queues; Max-Age=0;/);
      expect(ui.gateway.logged('queue_session_closed')).toHaveLength(1);
    });

    it('is worth nothing once its cookie was changed, or was signed by something else', async () => {
      const session = { id: 'x', keyId: ui.tenantId, tenantId: null, expiresAt: Date.UTC(2190, 0) };
      const cookies = [sealSession(session, Buffer.alloc(32)), sealSession(session, Buffer.alloc(0)), 'x', '~', ''];
      const [, own] = COOKIE.exec((await nobody.submit('/login', { key: operatorKey })).headers.get('set-cookie')!)!;
      for (let at = 0; at < own!.length; at += 7) {
        const other = own![at] === 'A' ? 'B' : 'A';
        cookies.push(own!.slice(0, at) + other + own!.slice(at + 1));
      }
      for (const cookie of cookies)
        expect((await nobody.with({ cookie: `annals_queues=${cookie}` }).get('/api/queues')).status).toBe(401);
      expect((await nobody.with({ cookie: `a=b; annals_queues=${own}` }).get('/api/queues')).status).toBe(200);
    });

    it('ends after eight hours, and when its key is revoked', async () => {
      const { database, infrastructure } = ui.gateway;
      const clock = new ManualClock(new SystemClock().now());
      const limits = { countRequest: async () => ({ refusal: null }) } as unknown as RequestLimits;
      const sessions = new OperatorSessions(database, clock, infrastructure.secrets, {} as Authenticator, limits);
      const key = await ui.gateway.makeOperatorKey();
      const { keyId } = (await findApiKey(database, hashApiKey(key)))!;
      const caller = { keyId, tenantId: null, scopes: [], operator: true, expiresAt: null } as never;
      const { cookie } = sessions.begin(caller);
      expect(await sessions.find(cookie)).toMatchObject({ keyId });
      clock.advance(SESSION_MS - 1);
      expect(await sessions.find(cookie)).toMatchObject({ keyId });
      clock.advance(1);
      expect(await sessions.find(cookie)).toBeNull();
      const { cookie: next } = sessions.begin(caller);
      const pool = createTestPool({ connectionString: ui.gateway.testDatabase.admin.url });
      await pool.query('UPDATE annals.operator_keys SET revoked_at = now() WHERE id = $1', [keyId]);
      await pool.end();
      clock.advance(5_000);
      expect(await sessions.find(next)).toBeNull();
    });

    const change = async (headers: Record<string, string>) => {
      const from = operator.with({ 'content-type': 'application/x-www-form-urlencoded', ...headers });
      return from.send('POST', '/work/extraction/retry-failed', `token=${await tokenOf(operator)}`);
    };

    it('takes a change from a page of its own, also in a browser that says its origin only', async () => {
      const own: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: ui.gateway.url }];
      for (const headers of own) expect((await change(headers)).status).toBe(303);
    });

    it.each<[what: string, headers: Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }],
      ['another port of the same host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
      ['another origin, in a browser that says that only', { origin: 'http://127.0.0.1:1' }],
      ['a page without an origin', { origin: 'null' }],
      ['no page', {}],
    ])('takes no change from %s, even with the token', async (_what, headers) => {
      expect((await change(headers)).status).toBe(403);
      expect(ui.gateway.logged('queue_request_refused')).toMatchObject([{ reason: 'cross_site' }]);
      expect(ui.actions()).toEqual([]);
    });

    it('takes no change without the token of its own pages', async () => {
      const other = await ui.logIn(operatorKey);
      for (const token of ['', 'x', await tokenOf(other)]) {
        const { status, text } = await operator.submit('/work/extraction/retry-failed', { token });
        expect(status).toBe(403);
        expect(text).toContain('not of your session');
      }
      expect(ui.gateway.logged('queue_request_refused')).toHaveLength(3);
      expect(ui.actions()).toEqual([]);
    });

    it.each(['', '/work', '/logout', '/login', '/work/nothing/x/y', '/nothing'])(
      'has a strict policy on %s, and is not cached',
      async (page) => {
        const { headers } = await operator.get(page);
        const policy = headers.get('content-security-policy')!;
        expect(policy).toMatch(/^default-src 'none'; /);
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|https?:|\*/);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-frame-options')).toBe('DENY');
      },
    );

    it('serves no file outside of the board’s', async () => {
      for (const path of [
        '/static/../package.json',
        '/static/..%2fpackage.json',
        '/static/%2e%2e/index.ejs',
        '/static/js',
      ])
        expect((await operator.get(path)).status).toBe(404);
    });
  });

  it('is not there when it is switched off', async () => {
    const off = await QueueUi.open({ env: { ANNALS_QUEUE_UI: 'false' } });
    const visitor = new Visitor(off.gateway.url);
    for (const path of ['', '/login', '/work']) expect((await visitor.get(path)).status).toBe(404);
    await off.close();
  });
});
