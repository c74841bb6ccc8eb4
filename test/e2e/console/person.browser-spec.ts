import { type AnnalsSystem, ApiClient, type Browser, startBrowser, waitUntil } from '@annals/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Console, openConsole, PROFILES, tell } from './open-console.js';

const USER = 'ada';
const TITLES = {
  Deutsch: 'Was über Sie gespeichert ist',
  Español: 'Lo que se recuerda de usted',
  Français: 'Ce qui est retenu à votre sujet',
  Português: 'O que é lembrado sobre si',
};

describe.each(PROFILES)('the page of a person, of %s, in Chromium', (_profile, start) => {
  let system: AnnalsSystem;
  let browser: Browser;
  let view: Console;
  let client: ApiClient;
  let friend: Server;
  let evil: Server;
  const framing = (server: Server, host: string) => `http://${host}:${(server.address() as AddressInfo).port}/`;
  let framed = '';

  beforeAll(async () => {
    [friend, evil] = await Promise.all([serveFrame(() => framed), serveFrame(() => framed)]);
    const env = { ANNALS_PERSON_PAGE_ANCESTORS: framing(friend, '127.0.0.1') };
    [system, browser] = await Promise.all([start({ env }), startBrowser()]);
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await tell(system, USER, 'talk', [
      ['2026-02-03', 'I live in Lisbon. I am allergic to peanuts.'],
      ['2026-02-03', 'I prefer short answers.'],
    ]);
    await tell(system, 'bea', 'talk', [['2026-02-03', 'I live in Paris.']]);
    view = await openConsole(browser, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
    friend.close();
    evil.close();
  });

  const makeLink = async (userId = USER) =>
    (await client.must('createPersonLink', { params: { user_id: userId }, body: {} })).url!;

  /** What the keyboard is at: a control that is gone must not leave it at the beginning of the page. */
  const readFocus = () => view.page.evaluate('document.activeElement.textContent.trim()');

  it('opens with a link, once, on one device', async () => {
    const { page } = view;
    const link = await makeLink();
    await page.goto(link);
    await page.getByText('lives in Lisbon').waitFor();
    expect(page.url()).toBe(`${new URL(link).origin}/me/`);
    expect(await page.content()).not.toContain('Paris');
    await view.takePicture('person');
    expect(await view.findBarriers()).toEqual([]);
    const other = await openConsole(browser, system);
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'This link cannot be opened' }).waitFor();
    expect(await other.findBarriers()).toEqual([]);
    await other.page.context().close();
    await page.reload();
    await page.getByText('lives in Lisbon').waitFor();
    const lines = system.logs.split('\n').filter((line) => line.includes(new URL(link).hash.slice(1)));
    expect(lines).toEqual([]);
  });

  it('says where something is from', async () => {
    const { page } = view;
    const memory = page.getByRole('listitem').filter({ hasText: 'lives in Lisbon' });
    await memory.getByRole('button', { name: 'Where is this from?' }).click();
    await memory
      .getByText('You said on 3 February 2026')
      .or(memory.getByText('You said on February 3, 2026'))
      .waitFor();
    await memory.getByText('I live in Lisbon.').waitFor();
  });

  it('corrects a memory, in the name of the person', async () => {
    const { page } = view;
    const memory = page.getByRole('listitem').filter({ hasText: 'lives in Lisbon' });
    await memory.getByRole('button', { name: 'Correct' }).press('Enter');
    await memory.getByRole('button', { name: 'Cancel' }).press('Enter');
    expect(await readFocus()).toBe('Correct');
    await memory.getByRole('button', { name: 'Correct' }).press('Enter');
    await page.getByLabel('What is true instead?').fill('The user lives in Porto.');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    // A text area has its text as content, too.
    await page.getByLabel('What is true instead?').waitFor({ state: 'detached' });
    await page.getByText('lives in Porto').waitFor();
    await page.getByText('It is corrected.').waitFor();
    expect(await readFocus()).toBe('About you');
    const { items } = await client.must('listMemories', { query: { user_id: USER } });
    const { id } = items.find(({ content }) => content.includes('Porto'))!;
    const { items: changes } = await client.must('getMemoryHistory', { params: { id } });
    expect(changes.map(({ actor }) => actor)).toContain('person');
  });

  it('forgets a memory in two steps, and brings it back', async () => {
    const { page } = view;
    const memory = page.getByRole('listitem').filter({ hasText: 'allergic to peanuts' });
    await memory.getByRole('button', { name: 'Forget' }).press('Enter');
    await memory.getByRole('button', { name: 'Cancel' }).press('Enter');
    expect(await readFocus()).toBe('Forget');
    await memory.getByRole('button', { name: 'Forget' }).press('Enter');
    await memory.getByRole('button', { name: 'Yes, forget it' }).press('Enter');
    await memory.getByText('Forgotten.').waitFor();
    expect(await readFocus()).toBe('Bring it back');
    const readContents = async () =>
      (await client.must('listMemories', { query: { user_id: USER } })).items.map(({ content }) => content).join(' ');
    expect(await readContents()).not.toContain('peanuts');
    await memory.getByRole('button', { name: 'Bring it back' }).click();
    await memory.getByRole('button', { name: 'Forget' }).waitFor();
    expect(await readContents()).toContain('peanuts');
  });

  it('decides what was proposed', async () => {
    const { page } = view;
    const proposal = page.getByRole('listitem').filter({ hasText: 'how to talk to you' });
    await proposal.getByRole('button', { name: 'Yes' }).click();
    await proposal.waitFor({ state: 'detached' });
    expect(await readFocus()).toBe('Is this right?');
    const context = await client.must('getUserContext', { params: { user_id: USER } });
    expect(context.tone).toBe('concise');
  });

  it('switches conclusions off', async () => {
    const { page } = view;
    await page.getByRole('switch').press('Space');
    await waitUntil(
      async () => (await client.must('getUserContext', { params: { user_id: USER } })).insights === 'off',
      { describe: 'insights are off' },
    );
    await page.getByRole('switch', { checked: false }).waitFor();
  });

  it('gives the person everything as a file', async () => {
    const { page } = view;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download everything' }).click(),
    ]);
    const content = await (await download.createReadStream()).toArray();
    expect(Buffer.concat(content).toString()).toMatch(/"kind":"manifest"[\s\S]*Porto[\s\S]*"kind":"end"/);
  });

  it.each(Object.entries(TITLES))('speaks %s', async (language, title) => {
    const { page } = view;
    await page.locator('header').getByRole('button').click();
    await page.getByRole('option', { name: language }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.title()).toBe(title);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await view.findBarriers()).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
  });

  it('speaks the language of the browser', async () => {
    const context = await browser.newContext({ locale: 'de-AT' });
    const page = await context.newPage();
    await page.goto(await makeLink());
    await page.getByRole('heading', { name: TITLES.Deutsch }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await context.close();
  });

  it('is shown in a frame of the pages that may, and of no others', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    framed = await makeLink();
    await page.goto(framing(friend, '127.0.0.1'));
    await page.frameLocator('iframe').getByText('lives in Porto').waitFor();
    framed = await makeLink();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(framing(evil, 'localhost'));
    await waitUntil(() => refused.some((text) => text.includes('frame-ancestors')), {
      describe: 'Chromium refuses the frame',
    });
    await context.close();
  });

  it('is closed for whoever has its tab, once the person has left', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(await makeLink());
    await page.getByRole('button', { name: 'Close the page' }).click();
    await page.getByRole('heading', { name: 'The page is closed' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This link cannot be opened' }).waitFor();
    await context.close();
  });

  it('shows who has the newer link, in a tab in which another person had the page', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(await makeLink());
    await page.getByText('lives in Porto').waitFor();
    await page.goto(await makeLink('bea'));
    await page.getByText('lives in Paris').waitFor();
    expect(await page.content()).not.toContain('Porto');
    expect(new URL(page.url()).hash).toBe('');
    await page.goto(`${new URL(page.url()).origin}/me/#ann_nothing`);
    await page.getByRole('heading', { name: 'This link cannot be opened' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This link cannot be opened' }).waitFor();
    await context.close();
  });

  it('opens a link after the connection had failed', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/me/sign-in', (route) => route.abort());
    await page.goto(await makeLink());
    await page.getByRole('heading', { name: 'The page cannot be opened now' }).waitFor();
    await page.unroute('**/me/sign-in');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('lives in Porto').waitFor();
    await client.must('revokePersonLinks', { params: { user_id: USER } });
    const closed = page.getByRole('heading', { name: 'This link cannot be opened' });
    await waitUntil(
      async () => {
        // A gateway knows the key for some seconds.
        await page
          .getByRole('button', { name: 'Download everything' })
          .click({ timeout: 1_000 })
          .catch(() => undefined);
        return (await closed.count()) > 0;
      },
      { describe: 'the page of revoked links is closed' },
    );
    await context.close();
  });

  it('erases the person in two steps', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(await makeLink());
    await page.getByRole('button', { name: 'Erase everything' }).click();
    await page.getByRole('button', { name: 'Yes, erase everything for good' }).click();
    await page.getByText('Everything about you was erased on').waitFor();
    const { items } = await client.must('listUsers');
    expect(items.map(({ user_id }) => user_id)).toEqual(['bea']);
    await context.close();
  });

  it('causes no complaint of the browser', () => {
    expect(view.complaints).toEqual([]);
  });
});

/** A page of another origin that shows a page in a frame. */
async function serveFrame(url: () => string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><iframe src="${url()}" width="800" height="600"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return server;
}
