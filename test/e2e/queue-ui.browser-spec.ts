import {
  ApiClient,
  type Browser,
  type BrowserContext,
  createTestKey,
  type DistributedSystem,
  type Page,
  startBrowser,
  startOnServices,
  waitForBatches,
} from '@annals/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { acceptWord, refuseWord } from './poison.fixture.js';

const POISON = 'poisonberry';
/** `npm run docs:screens` takes the pictures of docs/queue-ui.md. */
const SCREENSHOTS = process.env['ANNALS_SCREENSHOTS'];

describe('the queue UI in Chromium', () => {
  let system: DistributedSystem;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let url: string;
  let batchId: string;
  /** What Chromium complains of: violations of the policy among it. */
  const complaints: string[] = [];

  beforeAll(async () => {
    [system, browser] = await Promise.all([startOnServices(), startBrowser()]);
    url = `${system.gateways[0]!.url}/admin/queues`;
    batchId = await failBatch(system);
    await addDeferredWork(system);
    context = await browser.newContext({ viewport: { width: 1200, height: 720 }, timezoneId: 'UTC' });
    // As for other waits: it only ends what hangs.
    context.setDefaultTimeout(180_000);
    context.on('page', (opened) => watch(opened, complaints));
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
  });

  const audited = (event: string) => system.logs.split('\n').filter((line) => line.includes(`"event":"${event}"`));
  const readBatch = () =>
    new ApiClient(() => system.nextUrl(), system.tenantKey).must('getBatch', { params: { id: batchId } });

  it('leads somebody without a session to the login, which refuses unknown keys and those of tenants', async () => {
    await page.goto(url);
    expect(page.url()).toBe(`${url}/login`);
    await takePicture(page, 'queue-ui-login');
    await logIn(page, createTestKey('nobody'));
    expect(await page.getByRole('alert').innerText()).toContain('unknown, revoked or expired');
    await logIn(page, system.tenantKey);
    expect(await page.getByRole('alert').innerText()).toContain('key of a tenant');
    expect(await context.cookies()).toEqual([]);
    await page.goto(`${url}/work`);
    expect(page.url()).toBe(`${url}/login`);
  });

  it('shows an operator the queues, and a failed job with its ids and code only', async () => {
    await logIn(page, system.operatorKey);
    await page.getByRole('link', { name: 'persistence' }).first().waitFor();
    for (const queue of ['extraction', 'vectors', 'insights', 'app_memory'])
      expect(await page.getByText(queue, { exact: true }).count()).toBeGreaterThan(0);
    await takePicture(page, 'queue-ui-queues');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/admin/queues' });
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('link', { name: 'persistence' }).first().click();
    await page.getByRole('link', { name: /^failed/i }).click();
    await page.getByRole('link', { name: `persistence-${batchId}-1` }).click();
    await page.getByText('persist-batch').waitFor();
    await page.getByRole('tab', { name: 'Error' }).click();
    await page.getByText('invalid_request').waitFor();
    await takePicture(page, 'queue-ui-failed-job');
    expect(await page.content()).not.toContain(POISON);
    // Nothing that changes a queue is offered.
    expect(await page.getByRole('button', { name: /clean|empty|pause|obliterate|add job|duplicate/i }).count()).toBe(0);
  });

  it('shows what waits in PostgreSQL, and why', async () => {
    await page.goto(`${url}/work`);
    const cellsOf = (kind: string) => page.locator(`[data-kind="${kind}"] td`).allInnerTexts();
    expect((await cellsOf('insights')).slice(0, 6)).toEqual(['insights', '2', '0', '3', '3', '0']);
    expect((await cellsOf('persistence')).slice(0, 6)).toEqual(['persistence', '0', '0', '0', '0', '1']);
    expect((await cellsOf('insights'))[6]).toMatch(/^1 h/);
    const why = await page
      .locator('[data-reason]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-reason')));
    expect(why).toEqual([
      'deferred insights energy',
      'deferred consolidation budget_exceeded',
      'failed persistence invalid_request',
    ]);
    await takePicture(page, 'queue-ui-work');
  });

  it.each([
    ['another site', 'localhost'],
    ['another port of the same host', '127.0.0.1'],
  ])('refuses what a page of %s sends with the cookie of the operator', async (_what, host) => {
    const evil = await serveEvilPage(`${url}/work/persistence/${await tenantOf(system, batchId)}/${batchId}/retry`);
    const refusedBefore = audited('queue_request_refused').length;
    const visited = await context.newPage();
    const statuses: number[] = [];
    visited.on('response', (response) => {
      if (response.request().method() === 'POST') statuses.push(response.status());
    });
    const port = (evil.address() as AddressInfo).port;
    await visited.goto(`http://${host}:${port}/`);
    await visited.locator('#done').waitFor();
    expect(await visited.locator('#done').innerText()).toBe('read nothing, sent nothing');
    await visited.locator('button').click();
    await visited.getByText('Refused').waitFor();
    expect(new Set(statuses)).toEqual(new Set([403]));
    await visited.close();
    evil.close();
    // What the script sent and what the form sent.
    expect(audited('queue_request_refused').length - refusedBefore).toBe(2);
    expect(audited('queue_action')).toEqual([]);
    expect(await readBatch()).toMatchObject({ status: 'failed', generation: 1 });
  });

  it('retries the failed job once its cause is removed, and shows that it is done', async () => {
    await acceptWord(system);
    await page.goto(`${url}/queue/persistence/persistence-${batchId}-1`);
    const [work] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Retry' }).click()]);
    await work.locator('[data-state="failed"]').waitFor();
    await takePicture(work, 'queue-ui-retry');
    // Twice, as an impatient operator does, from two windows.
    const second = await context.newPage();
    await second.goto(work.url());
    await work.getByRole('button', { name: 'Retry' }).click();
    await second.getByRole('button', { name: 'Retry' }).click();
    await second.getByText('Nothing was changed').waitFor();
    await work.locator('[data-state="done"]').waitFor();
    expect(await readBatch()).toMatchObject({ status: 'done', generation: 2, inserted: 1 });
    await page.goto(`${url}/queue/persistence/persistence-${batchId}-2`);
    await page.getByText('persist-batch').waitFor();
    await page.goto(`${url}/queue/persistence?status=failed`);
    await page.getByText(/^No .*jobs in this queue/).waitFor();
    const outcomes = audited('queue_action').map(
      (line) => (JSON.parse(line) as { context: { outcome: string } }).context.outcome,
    );
    expect(outcomes.toSorted()).toEqual(['done', 'moved_on']);
  });

  it('refuses a cookie that was changed', async () => {
    const [cookie] = await context.cookies();
    const other = await browser.newContext();
    await other.addCookies([
      { ...cookie!, value: cookie!.value.replace(/~(\d{13})~/, (_match, time) => `~${Number(time) + 1}~`) },
    ]);
    const visited = await other.newPage();
    await visited.goto(`${url}/work`);
    expect(visited.url()).toBe(`${url}/login`);
    await other.close();
  });

  it('shows nothing any more after the logout', async () => {
    await page.goto(`${url}/logout`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(`${url}/login`);
    expect(await context.cookies()).toEqual([]);
    await page.goto(url);
    expect(page.url()).toBe(`${url}/login`);
    expect(audited('queue_session_closed')).toHaveLength(1);
  });

  it('has kept to its policy: Chromium had nothing to complain of', () => {
    expect(complaints).toEqual([]);
  });
});

/** Posts a message that the database refuses to store, until its trigger is dropped. */
async function failBatch(system: DistributedSystem): Promise<string> {
  await refuseWord(system, POISON);
  const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  const messages = [{ role: 'user' as const, content: `I like ${POISON} tea.` }];
  const { batch_ids } = await client.must('postConversation', {
    body: { user_id: 'eve', thread_id: 'tea', messages, flush: true },
  });
  await waitForBatches(client, batch_ids, { explain: () => system.lastLines });
  return batch_ids[0]!;
}

/** Work of minds, which no process of this system takes. */
async function addDeferredWork(system: DistributedSystem): Promise<void> {
  await system.inspect((query) =>
    query(
      `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, is_scheduled, deferred_reason,
                         leased_until, created_at)
       SELECT t.tenant_id, gen_random_uuid(), r.kind, gen_random_uuid(), 1, now() + r.due, now() + r.due,
              r.reason IS NOT NULL, r.reason, CASE WHEN r.reason IS NULL THEN now() + interval '1 day' END, now()
         FROM tenants t, (VALUES ('insights', 'energy', interval '10 min'), ('insights', 'energy', interval '20 min'),
                                 ('insights', 'energy', interval '30 min'),
                                 ('consolidation', 'budget_exceeded', interval '9 h'),
                                 ('insights', NULL, interval '-1 h -5 min'), ('insights', NULL, interval '-2 min')
              ) AS r (kind, reason, due) WHERE t.name = 'default'`,
    ),
  );
}

async function tenantOf(system: DistributedSystem, batchId: string): Promise<string> {
  const [row] = await system.inspect((query) =>
    query<{ tenant_id: string }>('SELECT tenant_id FROM batches WHERE id = $1', [batchId]),
  );
  return row!.tenant_id;
}

async function logIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Operator key').fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();
}

function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // A refused login, a job that was removed, and pages of other sites are errors of their own.
    const isExpected =
      !page.url().includes('/admin/queues') || /status of 40[134]|using link preload/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isExpected)
      complaints.push(`${page.url()}: ${message.text()}`);
  });
}

/** A page of another origin that tries to read and to send by script, and then sends a form. */
async function serveEvilPage(target: string): Promise<Server> {
  const board = new URL(target).origin + '/admin/queues/api/queues';
  const form = '<input name="token" value="guess"><input name="generation" value="1">';
  const server = createServer((request, response) => {
    if (request.url === '/evil.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(`
        const form = new URLSearchParams({ token: 'guess', generation: '1' });
        const read = fetch('${board}', { credentials: 'include' }).then(() => 'read', () => 'read nothing');
        const sent = fetch('${target}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: form })
          .then(({ type }) => 'sent ' + type, () => 'sent nothing');
        Promise.all([read, sent]).then((results) => {
          document.body.insertAdjacentHTML('beforeend', '<p id="done">' + results.join(', ') + '</p>');
        });`);
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><body><form method="post" action="${target}">${form}<button>Win</button></form>
      <script src="/evil.js"></script></body>`);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
