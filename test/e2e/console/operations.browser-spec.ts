import { type AnnalsSystem, ApiClient, type Browser, startBrowser, waitForBatches } from '@annals/testing';
import { acceptWord, refuseWord } from '../poison.fixture.js';
import { type Console, openConsole, PROFILES, tell } from './open-console.js';

const POISON = 'poisonberry';

describe.each(PROFILES)('the console for those who run %s, in Chromium', (_profile, start) => {
  let system: AnnalsSystem;
  let browser: Browser;
  let view: Console;

  beforeAll(async () => {
    [system, browser] = await Promise.all([start(), startBrowser()]);
    await tell(system, 'ada', 'move', [['2026-02-03', 'I live in Paris. I have a cat called Momo.']]);
    await tell(system, 'bea', 'tea', [['2026-02-03', 'I love green tea.']]);
    await system.inspect((query) =>
      query(`UPDATE annals.memories SET state = 'quarantined' WHERE content LIKE '%green tea%'`),
    );
    await refuseWord(system, POISON);
    const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    const messages = [{ role: 'user' as const, content: `I like ${POISON} tea.` }];
    const body = { user_id: 'eve', thread_id: 'poison', messages, flush: true };
    await waitForBatches(client, (await client.must('postConversation', { body })).batch_ids, {
      explain: () => system.lastLines,
    });
    view = await openConsole(browser, system);
    await view.open('/pipeline');
    await view.signIn(system.tenantKey);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
  });

  const open = async (name: string): Promise<void> => {
    await view.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
    await view.page.getByRole('heading', { level: 1, name }).waitFor();
  };

  it('shows a failed batch with its reason, and replays it once its cause is removed', async () => {
    const { page } = view;
    const failed = page.getByRole('row', { name: /eve: poison/ });
    await failed.getByText('failed').waitFor();
    expect(await failed.innerText()).toContain('invalid_request');
    await view.takePicture('pipeline');
    expect(await view.findBarriers()).toEqual([]);
    await acceptWord(system);
    await failed.getByRole('button', { name: 'Replay' }).click();
    await failed.getByText('1 message: 1 new').waitFor();
  });

  it('shows a conversation become memories', async () => {
    const { page } = view;
    await open('Try it');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByLabel('User').fill('kim');
    await page.getByLabel('What they say').fill('I live in Kyoto. My brother Ken plays the cello.');
    await page.getByRole('button', { name: 'Remember it' }).click();
    await page.getByRole('heading', { name: 'From words to memories' }).waitFor();
    await page
      .getByRole('region', { name: 'What is remembered of the conversation' })
      .getByText('lives in Kyoto')
      .waitFor();
    await page.getByText('done', { exact: true }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
  });

  it('shows what was spent, and sets the budget of the tenant', async () => {
    const { page } = view;
    await open('Money');
    await page.getByText('Cost of a memory').waitFor();
    for (const wrong of ['two', '0']) {
      await page.getByLabel('Daily limit in USD').fill(wrong);
      await page.getByText('Write an amount above 0 such as 2.50').waitFor();
      expect(await page.getByRole('button', { name: 'Set limit' }).isDisabled()).toBe(true);
    }
    await page.getByLabel('Daily limit in USD').fill('2.50');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await page.getByText('$0.00 of $2.50 spent').waitFor();
    await view.takePicture('money');
    expect(await view.findBarriers()).toEqual([]);
    const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    expect(await client.must('getBudget')).toMatchObject({ daily_limit_micro_usd: 2_500_000, source: 'api' });
    await page.getByRole('button', { name: 'As configured' }).click();
    await page.getByText('set by the configuration').waitFor();
    expect(await client.must('getBudget')).toMatchObject({ source: 'configuration' });
  });

  it('releases what was held back', async () => {
    const { page } = view;
    await open('Quality');
    const quarantine = page.getByRole('region', { name: 'Quarantine' });
    await quarantine.getByText('green tea').waitFor();
    await view.takePicture('quality');
    expect(await view.findBarriers()).toEqual([]);
    await quarantine.getByRole('button', { name: 'Release' }).click();
    await quarantine.getByText('Nothing is held back').waitFor();
    const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    expect((await client.must('listMemories', { query: { user_id: 'bea' } })).items).toHaveLength(1);
  });

  it('lists what was done, of one user too', async () => {
    const { page } = view;
    await open('Events');
    await page.getByRole('link', { name: 'kim' }).first().click();
    await page.getByRole('heading', { name: 'Events of kim' }).waitFor();
    expect(await page.getByRole('link', { name: 'ada' }).count()).toBe(0);
    expect(await view.findBarriers()).toEqual([]);
  });

  it('makes a key, shows it once, and revokes it', async () => {
    const { page } = view;
    await open('Keys');
    await page.getByLabel('Name').fill('chat');
    await page.getByLabel('Bound to user').fill('ada');
    await page.getByRole('button', { name: 'Create key' }).click();
    const text = await page.locator('.secret').innerText();
    const bound = new ApiClient(() => system.nextUrl(), text);
    expect(await bound.must('getOwnKey')).toMatchObject({ user_id: 'ada', scopes: ['ingest', 'query'] });
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(text);
    await view.takePicture('keys');
    expect(await view.findBarriers()).toEqual([]);
    const row = page.getByRole('row', { name: /chat/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('alertdialog');
    expect(await view.findBarriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
  });

  it('has the categories, and which of them each agent may use', async () => {
    const { page } = view;
    await open('Categories');
    await page.getByRole('row', { name: /^supervisor/ }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
  });

  it('erases a person in two steps, with a receipt', async () => {
    const { page } = view;
    await page.evaluate("location.hash = '#/users/kim/erase'");
    await page.getByRole('button', { name: 'Erase this person' }).click();
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Erase this person' });
    expect(await confirm.isDisabled()).toBe(true);
    await view.takePicture('erase');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByLabel('to confirm').fill('kim');
    await confirm.click();
    await page.getByRole('heading', { name: 'The person is erased' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the receipt' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^receipt-[\w-]{36}\.json$/);
    await open('Users');
    await page.getByRole('link', { name: 'ada' }).waitFor();
    expect(await page.getByRole('link', { name: 'kim' }).count()).toBe(0);
  });

  it('lets an operator make a tenant and delete it', async () => {
    const { page } = view;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await view.signIn(system.operatorKey);
    await page.evaluate("location.hash = '#/tenants'");
    await page.getByLabel('Name of a new tenant').fill('acme');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    await page.getByRole('heading', { name: 'The first key of acme' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await view.takePicture('tenants');
    expect(await view.findBarriers()).toEqual([]);
    const row = page.getByRole('row', { name: /^acme/ });
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('to confirm').fill('acme');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('shows an operator the budgets of the deployment, and what waits', async () => {
    const { page } = view;
    await open('Deployment');
    await page.getByRole('heading', { name: 'Budget of all tenants today' }).waitFor();
    await page.getByRole('row', { name: /^extraction/ }).waitFor();
    const costs = page.getByRole('region', { name: 'Cost by tenant' }).getByRole('row', { name: /^default 0 \$0\.00/ });
    await costs.first().scrollIntoViewIfNeeded();
    await view.takePicture('deployment');
    expect(await view.findBarriers()).toEqual([]);
  });

  it('causes no complaint of the browser', () => {
    // While the embedded process was stopped to change its database.
    const expected =
      /status of 503|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
    expect(view.complaints.filter((text) => !expected.test(text))).toEqual([]);
  });
});
