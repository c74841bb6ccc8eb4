import { type AnnalsSystem, type Browser, startBrowser } from '@annals/testing';
import { type Console, openConsole, PROFILES, tell } from './open-console.js';

const USER = 'ada';

describe.each(PROFILES)('the console of %s, in Chromium', (_profile, start) => {
  let system: AnnalsSystem;
  let browser: Browser;
  let view: Console;

  beforeAll(async () => {
    [system, browser] = await Promise.all([start(), startBrowser()]);
    await tell(system, USER, 'before', [['2026-02-03', 'I live in Paris. I have a cat called Momo.']]);
    await tell(system, USER, 'move', [
      ['2026-09-12', 'I moved to London. I play the harpsichord.'],
      ['2026-09-12', 'I prefer short answers.'],
    ]);
    view = await openConsole(browser, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
  });

  it('refuses a key that does not exist, and keeps the one that does in no storage', async () => {
    const { page } = view;
    await view.open('/users');
    await page.getByLabel('API key').fill('ann_nothing');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/key is unknown|Use an API key/).waitFor();
    await view.takePicture('sign-in');
    expect(await view.findBarriers()).toEqual([]);
    await view.signIn(system.tenantKey);
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(kept).toBe('[{},{},""]');
  });

  it('finds a user by the beginning of the id', async () => {
    const { page } = view;
    await page.getByLabel('Search by the beginning of an id').fill('zo');
    await page.getByText('No user begins with “zo”').waitFor();
    await page.getByLabel('Search by the beginning of an id').fill('ad');
    await page.getByRole('link', { name: USER }).waitFor();
    await view.takePicture('users');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('link', { name: USER }).click();
  });

  it('shows what is known of a user now, by category', async () => {
    const { page } = view;
    await page.getByText('moved to London').waitFor();
    expect(new URL(page.url()).hash).toBe(`#/users/${USER}`);
    expect(await page.getByText('lives in Paris').count()).toBe(0);
    await view.takePicture('known-now');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'all categories' }).click();
    await page.getByRole('option', { name: 'relationships' }).click();
    await page.getByText('moved to London').waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe(`#/users/${USER}?category=relationships`);
    await page.goBack();
    await page.getByText('moved to London').waitFor();
  });

  it('shows what was true on a day', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByText('moved to London').waitFor();
    const paris = page.getByRole('listitem').filter({ hasText: 'lives in Paris' }).last();
    expect(await paris.innerText()).toContain('did not hold on that day');
    await view.takePicture('timeline');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('slider').press('Home');
    await page.waitForFunction("location.hash.includes('as_of=2026-02-03')");
    expect(await paris.innerText()).not.toContain('did not hold');
    const london = page.getByRole('listitem').filter({ hasText: 'moved to London' }).last();
    expect(await london.innerText()).toContain('did not hold on that day');
  });

  it('shows a conversation with what its batches brought', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('button', { name: 'move' }).click();
    await page.getByText('I play the harpsichord', { exact: false }).first().waitFor();
    await page.getByText(/2 messages: \d+ new/).waitFor();
    await view.takePicture('conversations');
    expect(await view.findBarriers()).toEqual([]);
  });

  it('says what to expect where there is nothing yet', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Insights' }).click();
    await page.getByRole('heading', { name: 'No insight yet' }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
  });

  it('lets somebody accept what a person wishes', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Proposals' }).click();
    await page.getByText('pending').first().waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Accept' }).first().click();
    await page.getByText('accepted').first().waitFor();
  });

  it('opens a memory by a link that was shared: what it rests on, its history, what it is linked to', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Known now' }).click();
    await page.getByRole('link', { name: 'moved to London' }).click();
    const ground = page.getByRole('region', { name: 'What it rests on' });
    await ground.getByText('I moved to London.').waitFor();
    await page.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor();
    await page.getByRole('heading', { name: 'Linked memories' }).waitFor();
    await view.takePicture('memory');
    expect(await view.findBarriers()).toEqual([]);
    const link = page.url();
    await page.reload();
    await view.signIn(system.tenantKey);
    await page.getByRole('heading', { name: 'moved to London' }).waitFor();
    expect(page.url()).toBe(link);
  });

  it('answers a question as another agent, and explains how', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByRole('heading', { name: 'What would an agent be told?' }).waitFor();
    await page.getByLabel('User').fill(USER);
    await page.getByLabel('Question').fill('Where does the user live?');
    await page.getByLabel('As agent').fill('supervisor');
    await page.getByLabel('Question').press('Enter');
    await page.getByRole('heading', { name: 'How it was chosen' }).waitFor();
    expect(await page.locator('.answer').innerText()).toContain('London');
    expect(await page.getByRole('row', { name: /moved to London/ }).innerText()).toMatch(/\d+%/);
    await view.takePicture('ask');
    expect(await view.findBarriers()).toEqual([]);
    await page.goBack();
    expect(await page.getByLabel('Question').inputValue()).toBe('');
    await page.goForward();
    expect(await page.getByLabel('Question').inputValue()).toBe('Where does the user live?');
  });

  it.each([
    ['a phone', { width: 360, height: 740 }],
    ['a wide screen', { width: 2400, height: 1200 }],
  ])('fits %s without scrolling sideways, in dark colours too', async (_screen, size) => {
    const { page } = view;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['users', `users/${USER}`, `users/${USER}/timeline`, `users/${USER}/conversations`, 'ask']) {
      await page.evaluate(`location.hash = '#/${path}'`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([path, overflow]).toEqual([path, 0]);
      expect(await view.findBarriers()).toEqual([]);
    }
  });

  it('is used with the keyboard alone', async () => {
    const { page } = view;
    await page.evaluate("location.hash = '#/users'");
    await page.getByRole('link', { name: USER }).waitFor();
    const [first] = await page.locator('a, button, input').all();
    expect(await first!.innerText()).toBe('Skip to the content');
    await first!.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("type")')).toBe('search');
    await page.getByRole('link', { name: USER }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('moved to London').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('asks no more for what the API refuses, and says why when the key has ended', async () => {
    const { page } = view;
    const refused: string[] = [];
    await page.route('**/v1/memories?**', (route) => {
      refused.push(route.request().url());
      const problem = {
        type: 'about:blank',
        title: 'A valid API key is required',
        status: 401,
        code: 'unauthenticated',
      };
      return route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await page.evaluate("location.hash = '#/users'");
    await page.getByRole('link', { name: USER }).click();
    await page.getByRole('alert').filter({ hasText: 'A valid API key is required' }).waitFor();
    await page.getByLabel('API key').waitFor();
    expect(refused).toHaveLength(1);
    await page.unroute('**/v1/memories?**');
    await view.signIn(system.tenantKey);
    await page.getByText('moved to London').waitFor();
  });

  it('forgets the key when somebody signs out', async () => {
    const { page } = view;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.content()).not.toContain('moved to London');
  });

  it('causes no complaint of the browser', () => {
    // The key that does not exist, and the one that has ended.
    expect(view.complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });
});
