import { type AnnalsSystem, ApiClient, type Browser, startBrowser, startStandalone, waitUntil } from '@annals/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Console, openConsole, tell } from './open-console.js';

/** Each calls `pwned` if the page takes it for markup, a link or a style. */
const SCRIPTS = [
  '<script>pwned()</script>',
  '<img src=x onerror="pwned()">',
  '"><svg onload=pwned()>',
  'javascript:pwned()',
  '<iframe srcdoc="<script>parent.pwned()</script>">',
  '<style>*{display:none}</style>',
  '{{constructor.constructor("pwned()")()}}',
  '</title></textarea><script>pwned()</script>',
];

describe('strangers at the console, in Chromium', () => {
  let system: AnnalsSystem;
  let browser: Browser;
  let client: ApiClient;
  beforeAll(async () => {
    [system, browser] = await Promise.all([startStandalone(), startBrowser()]);
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
  });

  const openSignedIn = async (key = system.tenantKey): Promise<Console> => {
    const view = await openConsole(browser, system);
    await view.page.exposeFunction('pwned', () => Promise.reject(new Error('A stored text was run.')));
    await view.open('/users');
    await view.signIn(key);
    return view;
  };
  const isUntouched = async ({ page }: Console) =>
    expect(await page.locator('main :is(script, img, iframe, style, svg[onload])').count()).toBe(0);

  it.each(SCRIPTS)('show %s as the text that it is, wherever it was stored', async (text) => {
    const userId = `mallory ${text}`;
    await tell(system, userId, `thread ${text}`, [['2026-02-03', `I live in Paris. ${text}`]]);
    const { memory } = await client.must('addMemory', {
      body: { user_id: userId, content: `The user wrote ${text}`, category: 'profile' },
    });
    const view = await openSignedIn();
    const { page } = view;
    await page.getByRole('link', { name: userId, exact: true }).click();
    await page.getByText(`The user wrote ${text}`).waitFor();
    await isUntouched(view);
    for (const part of ['Timeline', 'Conversations']) {
      await page.getByRole('link', { name: part }).click();
      await page
        .getByText(part === 'Timeline' ? `The user wrote ${text}` : `thread ${text}`)
        .first()
        .waitFor();
      await isUntouched(view);
    }
    await page.getByRole('button', { name: `thread ${text}` }).click();
    await page.getByText(`I live in Paris. ${text}`).first().waitFor();
    await isUntouched(view);
    await page.evaluate(`location.hash = '#/memories/${memory.id}'`);
    await page.getByRole('heading', { name: `The user wrote ${text}` }).waitFor();
    await page.getByRole('heading', { name: 'Linked memories' }).waitFor();
    await isUntouched(view);
    await page.evaluate(
      `location.hash = '#/ask?' + new URLSearchParams(${JSON.stringify({ user: userId, query: text })})`,
    );
    await page.getByRole('heading', { name: 'How it was chosen' }).waitFor();
    await isUntouched(view);
    expect(view.complaints).toEqual([]);
    await page.context().close();
  });

  it('open nothing by what they write into a link', async () => {
    const view = await openSignedIn();
    const { page } = view;
    const fragments = [
      '/users/%E0%A4%A',
      '/users/%253Cimg%20src=x%20onerror=pwned()%253E',
      '/memories/..%2f..%2fv1%2fadmin%2fkeys',
      '//evil.example/users',
      '/ask?user=%3Cscript%3Epwned()%3C/script%3E&query=x',
      'javascript:pwned()',
      '/constructor',
      '/users/ada/__proto__',
    ];
    for (const fragment of fragments) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#${fragment}`)}`);
      await page.locator('main').getByRole('heading').or(page.getByRole('alert')).first().waitFor();
      await isUntouched(view);
    }
    expect(new URL(page.url()).host).toBe(new URL(system.nextUrl()).host);
    // Memories that do not exist, and ids that are none.
    expect(view.complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
    await page.context().close();
  });

  it('see with the key of another tenant what belongs to that tenant', async () => {
    await tell(system, 'ada', 'move', [['2026-02-03', 'I live in Paris.']]);
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key: other } = await operator.must('createTenant', { body: { name: 'other' } });
    const { items } = await client.must('listMemories', { query: { user_id: 'ada' } });
    const view = await openSignedIn(other);
    const { page } = view;
    await page.getByRole('heading', { name: 'Nobody is remembered yet' }).waitFor();
    await page.evaluate("location.hash = '#/users/ada'");
    await page.getByRole('heading', { name: 'Nothing is known' }).waitFor();
    await page.evaluate(`location.hash = '#/memories/${items[0]!.id}'`);
    await page.getByRole('alert').waitFor();
    expect(await page.content()).not.toContain('Paris');
    await page.context().close();
  });

  it('find nothing of the tenant before in a tab in which another one signs in', async () => {
    const view = await openSignedIn();
    const { page } = view;
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key: other } = await operator.must('createTenant', { body: { name: 'next' } });
    await view.signIn(other!);
    await page.getByRole('heading', { name: 'Nobody is remembered yet' }).waitFor();
    expect(await page.content()).not.toContain('ada');
    await page.context().close();
  });

  it('cannot show the console in a frame of their own page', async () => {
    const evil = await serve(`<!doctype html><iframe src="${system.nextUrl()}/console/"></iframe>`);
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    await waitUntil(() => refused.some((text) => text.includes('frame-ancestors')), {
      describe: 'Chromium refuses the frame',
    });
    evil.close();
    await page.close();
  });

  it('cannot use the session of a person from their own page: there is no cookie, and the API answers no other origin', async () => {
    const view = await openSignedIn();
    const evil = await serve('<!doctype html>');
    const page = await view.page.context().newPage();
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    const read = await page.evaluate(
      `fetch('${system.nextUrl()}/v1/users', { credentials: 'include' }).then(() => 'read', () => 'read nothing')`,
    );
    expect(read).toBe('read nothing');
    expect(await view.page.context().cookies()).toEqual([]);
    evil.close();
    await view.page.context().close();
  });

  it('read no key in a log, and no id of a user in the requests for pages', async () => {
    const view = await openConsole(browser, system);
    const asked: string[] = [];
    view.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await view.open('/users/secret-person');
    await view.signIn(system.tenantKey);
    await view.page.getByRole('heading', { name: 'Nothing is known' }).waitFor();
    const pages = asked.filter((path) => path.startsWith('/console/'));
    expect(pages).toContain('/console/');
    expect(pages.join('\n')).not.toContain('secret-person');
    expect(system.logs).not.toContain(system.tenantKey);
    await view.page.context().close();
  });
});

async function serve(page: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}
